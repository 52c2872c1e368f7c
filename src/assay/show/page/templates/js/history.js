// Draws the history of one benchmark on one class of host: runs, their spread, levels, changes.

const ROOM = { left: 56, right: 14, top: 22, bottom: 24 };
const OUTSIDE = 0.01; // share of the runs that may lie beyond each end of the axis

class HistoryChart {
  constructor(place, cursor, data, links) {
    Object.assign(this, { place, cursor, data, links });
    new ResizeObserver(() => place.clientWidth !== this.width && this.draw()).observe(place);
    place.addEventListener("pointermove", (event) => this.pointAt(event.offsetX));
    place.addEventListener("keydown", (event) => this.step(event));
  }

  // Sets which runs are shown, and where each lies on the horizontal axis.
  range() {
    const { value, time } = this.data;
    const last = Number(address.get("last")) || value.length;
    this.from = Math.max(0, value.length - last);
    this.to = value.length;
    const along = address.get("x") === "time" ? (i) => time[i] : (i) => i;
    const [first, end] = [along(this.from), along(this.to - 1)];
    const width = this.width - ROOM.left - ROOM.right;
    this.x = (i) => ROOM.left + (end > first ? ((along(i) - first) / (end - first)) * width : width / 2);
  }

  // Sets the vertical axis, by the usual values: an old outlier must not flatten the rest.
  domain() {
    const levels = this.data.segments.filter(({ last }) => last >= this.from);
    const [least, most] = address.get("axis") ? this.ends() : this.usualEnds();
    let lo = Math.min(least, ...levels.map((one) => one.low));
    const hi = Math.max(most, ...levels.map((one) => one.high));
    if (address.get("axis") === "zero") lo = Math.min(0, lo);
    const room = 0.08 * (hi - lo) || 0.02 * Math.abs(hi) || 1;
    this.lo = address.get("axis") === "zero" && lo === 0 ? 0 : lo - room;
    this.hi = hi + room;
    const height = this.height - ROOM.top - ROOM.bottom;
    this.y = (value_) => ROOM.top + (1 - (value_ - this.lo) / (this.hi - this.lo)) * height;
  }

  usualEnds() {
    const values = Float64Array.from(this.data.value.slice(this.from, this.to)).sort();
    const cut = Math.floor(OUTSIDE * values.length);
    return [values[cut], values[values.length - 1 - cut]];
  }

  ends() {
    const { low, high } = this.data;
    let [least, most] = [low[this.from], high[this.from]];
    for (let i = this.from; i < this.to; i += 1) {
      least = Math.min(least, low[i]);
      most = Math.max(most, high[i]);
    }
    return [least, most];
  }

  draw() {
    this.width = this.place.clientWidth;
    this.height = this.place.clientHeight;
    if (!this.width) return;
    this.range();
    this.domain();
    this.mark = drawn("g");
    const parts = [...this.axes(), ...this.levels(), this.spread(), this.dots(), this.beyond(), ...this.changes(), this.mark];
    this.place.replaceChildren(drawn("svg", { width: this.width, height: this.height, "aria-hidden": "true" }, ...parts));
  }

  inside(value) {
    return Math.max(this.lo, Math.min(this.hi, value));
  }

  axes() {
    const rows = ticksBetween(this.lo, this.hi, 4).flatMap((value) => [
      drawn("line", { class: "grid", x1: ROOM.left, x2: this.width - ROOM.right, y1: this.y(value), y2: this.y(value) }),
      drawn("text", { x: ROOM.left - 6, y: this.y(value) + 4, "text-anchor": "end" }, String(Number(value.toPrecision(6)))),
    ]);
    const unit = drawn("text", { x: ROOM.left - 6, y: 12, "text-anchor": "end" }, this.data.unit);
    return [unit, ...rows, ...this.dates()];
  }

  dates() {
    const room = Math.max(1, Math.floor(this.width / 170));
    const count = Math.min(room, this.to - this.from - 1) || 1;
    return Array.from({ length: count + 1 }, (_, k) => {
      const i = Math.min(this.to - 1, Math.round(this.from + (k * (this.to - 1 - this.from)) / count));
      const anchor = k === 0 ? "start" : k === count ? "end" : "middle";
      return drawn("text", { x: this.x(i), y: this.height - 6, "text-anchor": anchor }, dateOf(this.data.time[i]));
    });
  }

  levels() {
    return this.data.segments.filter(({ last }) => last >= this.from).flatMap(({ first, last, level, low, high }) => {
      const [x1, x2] = [this.x(Math.max(first, this.from)), this.x(last)];
      const band = { class: "band", x: x1, width: Math.max(1, x2 - x1), y: this.y(high), height: Math.max(1, this.y(low) - this.y(high)) };
      return [drawn("rect", band), drawn("line", { class: "level", x1, x2, y1: this.y(level), y2: this.y(level) })];
    });
  }

  // The quartiles of all runs as one path, which is fast however many runs there are.
  spread() {
    const { low, high } = this.data;
    let path = "";
    for (let i = this.from; i < this.to; i += 1) {
      const [top, bottom] = [this.inside(high[i]), this.inside(low[i])];
      if (top > bottom) path += `M${this.x(i).toFixed(1)} ${this.y(bottom).toFixed(1)}V${this.y(top).toFixed(1)}`;
    }
    return drawn("path", { class: "spread", d: path });
  }

  dots() {
    let path = "";
    for (let i = this.from; i < this.to; i += 1) {
      const value = this.data.value[i];
      if (value >= this.lo && value <= this.hi) path += `M${this.x(i).toFixed(1)} ${this.y(value).toFixed(1)}h0`;
    }
    const size = Math.max(1.6, Math.min(4.5, 700 / (this.to - this.from)));
    return drawn("path", { class: "runs", d: path, "stroke-width": size });
  }

  beyond() {
    let path = "";
    for (let i = this.from; i < this.to; i += 1) {
      const value = this.data.value[i];
      const x = this.x(i).toFixed(1);
      if (value > this.hi) path += `M${x} ${ROOM.top - 7}l3.5 6h-7z`;
      if (value < this.lo) path += `M${x} ${this.height - ROOM.bottom + 1}l3.5 -6h-7z`;
    }
    return drawn("path", { class: "beyond", d: path });
  }

  changes() {
    let free = 0; // the x from which the next label may be drawn without covering the one before
    return this.data.changes.filter(({ split }) => split >= this.from).flatMap(({ split, text, tone }) => {
      const x = (this.x(Math.max(split - 1, this.from)) + this.x(split)) / 2;
      const rule = drawn("line", { class: `rule ${tone}`, x1: x, x2: x, y1: ROOM.top - 4, y2: this.height - ROOM.bottom });
      const width = 7 * text.length;
      const at = Math.min(x + 4, this.width - width);
      if (at < free) return [rule];
      free = at + width;
      return [rule, drawn("text", { class: `change ${tone}`, x: at, y: 11 }, text)];
    });
  }

  pointAt(x) {
    let [from, to] = [this.from, this.to - 1];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.x(middle) < x) from = middle;
      else to = middle;
    }
    this.show(Math.abs(this.x(from) - x) < Math.abs(this.x(to) - x) ? from : to);
  }

  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!by) return;
    event.preventDefault();
    this.show(Math.max(this.from, Math.min(this.to - 1, (this.at ?? this.to) + by)));
  }

  show(i) {
    this.at = i;
    const { value, low, high, unit, run, revision, time, launches } = this.data;
    const x = this.x(i);
    this.mark.replaceChildren(
      drawn("line", { class: "at", x1: x, x2: x, y1: ROOM.top, y2: this.height - ROOM.bottom }),
      drawn("circle", { class: "dot", cx: x, cy: this.y(this.inside(value[i])), r: 4 }),
    );
    const count = launches[i] === 1 ? "1 launch" : `${launches[i]} launches`;
    const numbers = launches[i] ? `${value[i]} ${unit}, quartiles ${low[i]} .. ${high[i]}, of ${count}` : `${value[i]} ${unit}`;
    const where = [dateOf(time[i]), revision[i] && `revision ${revision[i]}`].filter(Boolean).join(", ");
    this.cursor.replaceChildren(`${numbers}; ${where}; run ${run[i]}`, ...this.linksOf(i));
  }

  linksOf(i) {
    if (!this.links || i === 0) return [];
    const words = new URLSearchParams({ base: runOf(this.data.run[i - 1]), candidate: runOf(this.data.run[i]) });
    return [" · ", make("a", { href: `${this.links}?${words}` }, "compare with the run before")];
  }
}

function ticksBetween(lo, hi, count) {
  const rough = (hi - lo) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * size).find((one) => one >= rough);
  const ticks = [];
  for (let value = Math.ceil(lo / step) * step; value <= hi; value += step) ticks.push(value);
  return ticks;
}

function dateOf(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

// Connects the drop-down lists above the charts with the address of the page, in both directions.
function setUpView(charts) {
  const form = element("view");
  const follow = () => {
    for (const select of form.querySelectorAll("select")) {
      select.value = address.get(select.name);
      if (select.selectedIndex < 0) select.value = "";
    }
    for (const chart of charts) chart.draw();
  };
  for (const select of form.querySelectorAll("select")) {
    select.addEventListener("change", () => {
      address.set({ [select.name]: select.value });
      follow();
    });
  }
  window.addEventListener("popstate", follow);
  form.hidden = false;
  follow();
}

// Every run of every host as rows of the page's table, the newest first. The text of a cell is made
// when the cell is drawn: ten thousand runs would need seventy thousand texts.
function runsGrid(hosts) {
  const flat = hosts.flatMap((one, host) => one.value.map((_, i) => ({ one, i, host }))).reverse();
  const column = (key, title, kind, of, more = {}) => ({ key, title, kind, shown: lazily(flat, of), ...more });
  const number = (key, title, more = {}) => ({
    ...column(key, title, "number", ({ one, i }) => `${one[key][i]} ${one.unit}`),
    sort: lazily(flat, ({ one, i }) => one[key][i]),
    ...more,
  });
  return {
    noun: "runs",
    order: flat.map((_, row) => row),
    facets: [{ key: "host", title: "Host", values: hosts.map(({ host }) => host), of: flat.map(({ host }) => host) }],
    columns: [
      { key: "run", title: "run", kind: "name", shown: flat.map(({ one, i }) => one.run[i]) },
      column("committed", "committed", "date", ({ one, i }) => dateOf(one.time[i])),
      column("revision", "revision", "commits", ({ one, i }) => one.revision[i]),
      number("value", "value"),
      number("low", "lower quartile", { less: true }),
      number("high", "upper quartile", { less: true }),
      column("launches", "launches", "number", ({ one, i }) => String(one.launches[i]), { less: true, sort: lazily(flat, ({ one, i }) => one.launches[i]) }),
      column("host", "host", "text", ({ one }) => one.host, { off: hosts.length < 2, less: true }),
    ],
  };
}

// Like the array `rows.map(of)`, but `of` is called only when an element is read.
function lazily(rows, of) {
  return new Proxy([], { get: (_, row) => of(rows[Number(row)]) });
}

// The name of a run, from a text that may have the side of a comparison behind it.
function runOf(text) {
  return text.split(" ")[0];
}
