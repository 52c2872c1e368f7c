// The numbers of the multiview: the value of a cell, its text, and its colour.

const NAME = -1; // stands for the column that names the benchmark
const GREENEST = 0.2, WHITE_FROM = 0.9, WHITE_TO = 1.1, REDDEST = 5;

class Sheet {
  constructor(index, floats) {
    this.names = index.names;
    this.columns = index.columns;
    this.units = index.units;
    this.intervals = index.intervals;
    this.floats = floats;
    this.size = this.names.length * this.columns.length;
    this.reference = 0;
    this.errors = new Map(index.errors.map(([row, column, what]) => [this.place(row, column), what]));
  }

  place(row, column) {
    return row * this.columns.length + column;
  }

  error(row, column) {
    return this.errors.get(this.place(row, column));
  }

  value(row, column) {
    return this.floats[this.place(row, column)];
  }

  // Makes a column the reference, to which all others are compared from now on.
  against(column) {
    if (column === this.reference) return;
    this.reference = column;
    this.made = undefined;
  }

  // A cell's time over the reference's; NaN if one of them is missing, and for the reference itself.
  ratio(row, column) {
    if (column === this.reference) return NaN;
    const reference = this.value(row, this.reference);
    return reference > 0 ? this.value(row, column) / reference : NaN;
  }

  // The interval of a ratio, if the first column is the reference: the page has no others.
  interval(row, column) {
    if (!this.intervals || this.reference !== 0) return null;
    const place = this.place(row, column);
    const ends = [this.floats[this.size + place], this.floats[2 * this.size + place]];
    return Number.isNaN(ends[0]) ? null : ends;
  }

  // For each row its largest and smallest ratio, and whether a cell is missing; computed once.
  get extremes() {
    this.made ??= this.names.map((_, row) => this.extremesOf(row));
    return this.made;
  }

  extremesOf(row) {
    const found = { most: -Infinity, least: Infinity, holes: false };
    for (let column = 0; column < this.columns.length; column += 1) {
      const ratio = this.ratio(row, column);
      if (Number.isNaN(this.value(row, column))) found.holes = true;
      if (ratio > found.most) found.most = ratio;
      if (ratio < found.least) found.least = ratio;
    }
    return found;
  }
}

function percentage(ratio) {
  return ratio > 1 ? 100 - 100 * ratio : 100 / ratio - 100;
}

function percentText(ratio) {
  if (!(ratio > 0)) return "";
  const text = percentage(ratio).toFixed(1);
  return `${text.startsWith("-") ? "" : "+"}${text}`;
}

function colourOf(ratio) {
  if (!(ratio < WHITE_FROM || ratio >= WHITE_TO)) return "#ffffff";
  if (ratio < WHITE_FROM) {
    const share = (Math.max(ratio, GREENEST) - GREENEST) / (WHITE_FROM - GREENEST);
    return `rgb(${Math.trunc(255 * share)},${Math.trunc(153 + 102 * share)},${Math.trunc(255 * share)})`;
  }
  const share = (REDDEST - Math.min(ratio, REDDEST)) / (REDDEST - WHITE_TO);
  return `rgb(255,${Math.trunc(255 * share)},${Math.trunc(255 * share)})`;
}

function valueText(value, [size, unit]) {
  return `${Number((value / size).toPrecision(5)).toLocaleString("en", { maximumSignificantDigits: 5 })} ${unit}`;
}
