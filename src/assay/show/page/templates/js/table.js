// The table of benchmarks: sorted, searched, filtered, and drawn some rows at a time.

const FIRST_ROWS = 50;
const MORE_ROWS = 400;

class BenchmarkTable {
  constructor(model, openDetail) {
    this.model = model;
    this.openDetail = openDetail;
    this.columns = model.index.table.columns;
    this.haystack = model.rows.map(({ benchmark }) => benchmark);
    this.follow();
    this.limit = FIRST_ROWS;
    this.body = make("tbody");
  }

  attach(place) {
    const head = make("tr", {}, ...this.visibleColumns().flatMap((one) => this.heading(one)));
    this.table = make("table", {}, make("thead", {}, head), this.body);
    place.replaceChildren(this.table);
    this.draw();
  }

  // Reads the state of the table from the address: search, metric, verdicts and order.
  follow() {
    const { main = "", metrics } = this.model.index;
    const [metric, sort] = [address.get("metric"), address.get("sort")];
    const by = this.columns.findIndex(({ key }) => key === sort.replace(/^-/, ""));
    this.state = {
      query: address.get("q"),
      metric: metric === "all" ? "" : metrics.includes(metric) ? metric : main,
      off: new Set(address.get("off").split(",").filter(Boolean)),
      by: by < 0 ? null : by,
      down: sort.startsWith("-"),
    };
  }

  keep(how) {
    const { query, metric, off, by, down } = this.state;
    const shown = metric === (this.model.index.main ?? "") ? "" : metric || "all";
    const sort = by === null ? "" : (down ? "-" : "") + this.columns[by].key;
    address.set({ q: query, metric: shown, off: [...off].join(), sort }, how);
  }

  visibleColumns() {
    return this.columns.map((column, place) => ({ column, place })).filter(
      ({ column }) => column.key !== "metric" || this.state.metric === "",
    );
  }

  heading({ column, place }) {
    const sort = { by: place, down: this.state.by === place && !this.state.down };
    const button = make("button", { type: "button" }, column.title);
    button.addEventListener("click", () => this.change(sort));
    const way = this.state.down ? "descending" : "ascending";
    const heading = make("th", { scope: "col", class: classOf(column) }, button);
    if (this.state.by === place) heading.setAttribute("aria-sort", way);
    return column.kind === "interval"
      ? [make("th", { scope: "col", class: "bar" }, "effect"), heading]
      : [heading];
  }

  change(state) {
    const focused = document.activeElement?.closest("th")?.cellIndex;
    Object.assign(this.state, state);
    this.keep({ isStep: !("query" in state) });
    this.limit = FIRST_ROWS;
    this.attach(element("benchmarks"));
    if (focused !== undefined) this.table.rows[0].cells[focused]?.querySelector("button")?.focus();
  }

  // The rows that pass the filters by name, metric and verdict, in the order asked for.
  chosen() {
    const { query, metric, off } = this.state;
    const told = (what) => element("search").setAttribute("aria-invalid", String(Boolean(what)));
    this.wanted = expressionOf(query, this.wanted ?? /(?:)/, told);
    const order = this.sorted(this.model.index.table.order);
    return order.filter(
      (row) =>
        this.wanted.test(this.haystack[row]) &&
        (metric === "" || this.model.metricOf(row) === metric) &&
        !off.has(this.model.rows[row].verdict),
    );
  }

  sorted(order) {
    if (this.state.by === null) return order;
    const { sort, shown } = this.columns[this.state.by];
    const sign = this.state.down ? -1 : 1;
    return [...order].sort((a, b) => sign * compare(sort, shown, a, b));
  }

  draw() {
    const chosen = this.chosen();
    this.body.replaceChildren(...chosen.slice(0, this.limit).map((row) => this.row(row)));
    const all = this.model.rows.length;
    element("shown").textContent = `${chosen.length.toLocaleString("en")} of ${all.toLocaleString("en")} rows`;
    this.drawMore(chosen.length - this.limit);
  }

  drawMore(left) {
    const place = element("more");
    place.hidden = left <= 0;
    const next = Math.min(left, MORE_ROWS);
    const button = make("button", { type: "button" }, `Show ${next} more of ${left}`);
    button.addEventListener("click", () => this.showMore());
    place.replaceChildren(button);
  }

  showMore() {
    const chosen = this.chosen();
    const from = this.limit;
    this.limit += MORE_ROWS;
    this.body.append(...chosen.slice(from, this.limit).map((row) => this.row(row)));
    this.drawMore(chosen.length - this.limit);
  }

  row(row) {
    const cells = this.visibleColumns().flatMap(({ column }) => this.cells(column, row));
    return make("tr", { class: "row", "data-row": row }, ...cells);
  }

  cells(column, row) {
    const text = column.shown[row];
    const cell = make("td", { class: classOf(column) });
    if (column.kind === "name") cell.append(this.nameButton(text, row));
    else if (column.kind === "verdict") cell.append(...verdictParts(text, this.model.rows[row], this.model.index.why?.[row]));
    else cell.textContent = text;
    return column.kind === "interval" ? [this.bar(row), cell] : [cell];
  }

  nameButton(text, row) {
    const whole = this.model.index.names[this.model.nameOf[row]];
    const attributes = { type: "button", "aria-expanded": "false", title: whole.slice(0, 4000) };
    const button = make("button", attributes, make("bdi", {}, text));
    button.addEventListener("click", () => this.openDetail(button, row));
    return button;
  }

  bar(row) {
    const { low, high, change, verdict } = this.model.rows[row];
    return make("td", { class: `bar ${verdict}`, "aria-hidden": "true" }, effectBar(
      this.model.index.forest.params, { low: low ?? change, high: high ?? change, change },
    ));
  }
}

function classOf({ kind, key }) {
  const less = ["base", "candidate", "interval", "rounds", "cpu", "launches"].includes(key);
  return less ? `${kind} less` : kind;
}

function compare(sort, shown, a, b) {
  if (!sort.length) return shown[a] < shown[b] ? -1 : Number(shown[a] > shown[b]);
  return (sort[a] ?? -Infinity) - (sort[b] ?? -Infinity) || a - b;
}

// A verdict and its hint; the verdict is a link if there is a page that says why.
function verdictParts(text, { verdict, benchmark }, why) {
  const start = text.indexOf(" (");
  const said = start < 0 ? text : text.slice(0, start);
  const link = { class: verdict, href: why, "aria-label": `${said}: why ${benchmark.slice(0, 200)} is` };
  const word = why ? make("a", link, said) : make("span", { class: verdict }, said);
  return start < 0 ? [word] : [word, " ", make("small", {}, text.slice(start + 2, -1))];
}
