// The data of a report, and the functions with which the other scripts read it.

const loadFloats = once(() => unpackedFloats("floats"));

class Model {
  constructor(index) {
    this.index = index;
    this.rows = index.results.comparisons ?? index.results.levels;
    this.twoSided = Boolean(index.results.comparisons);
    this.nameOf = this.namesOfRows();
    this.withDetails = once(() => this.addDetails());
  }

  // Loads what only opened rows and samples need: a third of the data, for which the first view of
  // the page does not wait.
  async addDetails() {
    const { index } = this;
    Object.assign(index, await unpackedJson("details"));
    this.numbers = new Map(index.names.map((_, place) => [place, []]));
    index.launches.benchmark.forEach((name, place) => this.numbers.get(name).push(place));
  }

  // The name of a side or a title: in an overhead experiment they are "reference" and "condition".
  called(word) {
    return this.index.called?.[word] ?? word;
  }

  // For each row the number of its benchmark; benchmarks are numbered in the order of the rows.
  namesOfRows() {
    const places = new Map();
    return this.rows.map(({ benchmark }) => {
      if (!places.has(benchmark)) places.set(benchmark, places.size);
      return places.get(benchmark);
    });
  }

  metricOf(row) {
    return this.rows[row].metric ?? "real_time";
  }

  // The launches of a row's benchmark, as indexes into the columns of `launches`.
  launchesOf(row) {
    return this.numbers.get(this.nameOf[row]) ?? [];
  }

  rowsOfSameBenchmark(row) {
    const name = this.nameOf[row];
    return [...this.rows.keys()].filter((one) => this.nameOf[one] === name);
  }

  // The index in the floats at which the samples of each metric and launch begin; computed once.
  async offsets() {
    this.starts ??= this.index.launches.counts.map(() => []);
    if (this.ends !== undefined) return this.starts;
    let at = 0;
    this.index.launches.counts.forEach((counts, metric) => {
      counts.forEach((count, launch) => {
        this.starts[metric][launch] = at;
        at += count;
      });
    });
    this.ends = at;
    return this.starts;
  }

  async samples(launch, metric) {
    const { metrics, counts } = this.index.launches;
    const number = metrics.indexOf(metric);
    if (number < 0) return [];
    const start = (await this.offsets())[number][launch];
    const floats = await loadFloats();
    return floats.subarray(start, start + counts[number][launch]);
  }

  async estimate(launch, metric) {
    return this.perLaunch(launch, this.index.launches.estimated.indexOf(metric), 0);
  }

  async change(launch, metric) {
    const { estimated, changed } = this.index.launches;
    return this.perLaunch(launch, changed.indexOf(metric), estimated.length);
  }

  async perLaunch(launch, column, before) {
    if (column < 0) return NaN;
    await this.offsets();
    const floats = await loadFloats();
    const all = this.index.launches.benchmark.length;
    return floats[this.ends + (before + column) * all + launch];
  }

  // The number by which to divide a launch's values, so that they are in the unit of its row.
  divisor(row, launch) {
    const axis = this.index.axes.divisor[row];
    const own = NS[this.index.launches.unit[launch]];
    const unit = NS[this.rows[row].unit];
    return unit && own ? (axis * unit) / own : axis;
  }
}

const NS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
