// The table of the multiview: only the cells in view are elements, and they change as one scrolls.
// Three hundred thousand cells as elements would take a browser minutes and gigabytes.

const ROW = 28, ROW_WITH_INTERVAL = 43, WIDTH = 150, NARROWEST_NAME = 130, WIDEST_NAME = 420;
const HEAD = 34;

class SheetView {
  constructor(sheet, place) {
    this.sheet = sheet;
    this.place = place;
    this.rowHeight = sheet.intervals ? ROW_WITH_INTERVAL : ROW;
    const longest = Math.max(...sheet.names.map((name) => name.length));
    this.nameWidth = Math.min(WIDEST_NAME, innerWidth * 0.4, Math.max(NARROWEST_NAME, 24 + 7.9 * longest));
    this.head = make("tr");
    this.body = make("tbody");
    this.table = make("table", { "aria-describedby": "legend" }, make("thead", {}, this.head), this.body);
    this.room = make("div", { class: "room" }, this.table);
    place.replaceChildren(this.room);
    place.addEventListener("scroll", () => this.soon());
    new ResizeObserver(() => this.soon()).observe(place);
  }

  soon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.draw();
    });
  }

  // Draws the table as the address of the page says: search, columns, order and reference.
  follow() {
    this.state = stateOf(this.sheet);
    const { reference } = this.state;
    this.sheet.against(reference);
    const wanted = this.state.columns.toLowerCase();
    const named = ({ label }, i) => i !== reference && label.toLowerCase().includes(wanted);
    this.columns = [reference, ...this.sheet.columns.flatMap((one, i) => (named(one, i) ? [i] : []))];
    this.fillTools();
    this.rows = this.sorted(this.chosen());
    this.room.style.height = `${HEAD + this.rows.length * this.rowHeight}px`;
    this.room.style.width = `${this.nameWidth + this.columns.length * WIDTH}px`;
    this.drawn = undefined;
    this.draw();
    const all = this.sheet.names.length;
    element("shown").textContent = `${this.rows.length.toLocaleString("en")} of ${all.toLocaleString("en")} rows, `
      + `${this.columns.length.toLocaleString("en")} of ${this.sheet.columns.length.toLocaleString("en")} columns`;
  }

  // Sets the fields to what the address says, except the one in which the reader is typing.
  fillTools() {
    const { query, columns, kind, sort, reference } = this.state;
    const label = this.sheet.columns[reference].label;
    const fields = { search: query, "search-columns": columns, kind, sort, reference: label };
    for (const [id, value] of Object.entries(fields)) {
      if (element(id) !== document.activeElement) element(id).value = value;
    }
    element("reference-name").textContent = label;
  }

  chosen() {
    const { query, kind } = this.state;
    const wanted = query.toLowerCase();
    const { extremes } = this.sheet;
    const passes = {
      all: () => true,
      slower: (row) => extremes[row].most >= WHITE_TO,
      faster: (row) => extremes[row].least < WHITE_FROM,
      holes: (row) => extremes[row].holes,
    }[kind];
    return this.sheet.names.flatMap((name, row) => (name.toLowerCase().includes(wanted) && passes(row) ? [row] : []));
  }

  sorted(rows) {
    const { sort, by, down } = this.state;
    const { extremes, names } = this.sheet;
    if (sort === "name") return rows.sort((a, b) => (names[a] < names[b] ? -1 : 1));
    if (sort === "worst") return rows.sort((a, b) => extremes[b].most - extremes[a].most || a - b);
    if (sort === "best") return rows.sort((a, b) => extremes[a].least - extremes[b].least || a - b);
    if (sort !== "column") return rows;
    const key = (row) => {
      const found = by === this.sheet.reference ? this.sheet.value(row, by) : this.sheet.ratio(row, by);
      return Number.isNaN(found) ? -Infinity : found; // missing cells come last
    };
    return rows.sort((a, b) => (down ? key(b) - key(a) : compareKnown(key(a), key(b))) || a - b);
  }

  // Draws the cells in view, in elements that are made once and get other contents.
  draw() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.place;
    // Rounded up: rounded down, the last row and column would never come into view.
    const firstRow = Math.ceil(scrollTop / this.rowHeight);
    const firstColumn = Math.ceil(scrollLeft / WIDTH);
    const high = Math.max(1, Math.floor(((clientHeight || innerHeight) - HEAD) / this.rowHeight));
    const wide = Math.max(1, Math.floor(((clientWidth || innerWidth) - this.nameWidth) / WIDTH));
    // The column of the reference stays in view; the others scroll past it.
    const others = this.columns.slice(1);
    const from = Math.min(firstColumn, Math.max(0, others.length - Math.max(1, wide - 1)));
    const columns = [this.columns[0], ...others.slice(from, from + Math.max(1, wide - 1))];
    const top = Math.min(firstRow, Math.max(0, this.rows.length - high));
    const rows = this.rows.slice(top, top + high);
    const asked = `${from} ${top} ${columns.length} ${rows.length}`;
    if (asked === this.drawn) return;
    this.drawn = asked;
    this.drawHead(columns);
    this.drawBody(rows, columns, top);
  }

  drawHead(columns) {
    while (this.head.cells.length > columns.length + 1) this.head.lastChild.remove();
    while (this.head.cells.length < columns.length + 1) this.head.append(this.heading());
    [NAME, ...columns].forEach((column, i) => this.fillHeading(this.head.cells[i], column));
    this.table.setAttribute("aria-colcount", this.columns.length + 1);
  }

  heading() {
    const button = make("button", { type: "button" });
    const heading = make("th", { scope: "col" }, button);
    button.addEventListener("click", () => this.sortBy(Number(heading.dataset.column)));
    return heading;
  }

  fillHeading(heading, column) {
    const { label, origin } = column === NAME ? { label: "benchmark", origin: "" } : this.sheet.columns[column];
    heading.dataset.column = column;
    heading.style.width = `${column === NAME ? this.nameWidth : WIDTH}px`;
    heading.firstChild.textContent = column === this.sheet.reference ? `${label} (reference)` : label;
    heading.firstChild.title = origin;
    const { sort, by, down } = this.state;
    const sorted = column === NAME ? sort === "name" : sort === "column" && by === column;
    if (sorted) heading.setAttribute("aria-sort", column !== NAME && down ? "descending" : "ascending");
    else heading.removeAttribute("aria-sort");
  }

  sortBy(column) {
    const { sort, by, down } = this.state;
    const again = sort === "column" && by === column && down;
    const { label } = column === NAME ? { label: "" } : this.sheet.columns[column];
    address.set({ sort: column === NAME ? "name" : "column", by: label, up: again ? "yes" : "" });
    this.follow();
  }

  drawBody(rows, columns, top) {
    while (this.body.rows.length > rows.length) this.body.lastChild.remove();
    while (this.body.rows.length < rows.length) this.body.append(make("tr", {}, make("th", { scope: "row" })));
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    rows.forEach((row, i) => this.fillRow(this.body.rows[i], row, columns, top + i + 2));
  }

  fillRow(line, row, columns, number) {
    line.style.height = `${this.rowHeight}px`;
    line.setAttribute("aria-rowindex", number);
    const name = line.cells[0];
    name.textContent = this.sheet.names[row];
    name.title = this.sheet.names[row];
    while (line.cells.length > columns.length + 1) line.lastChild.remove();
    while (line.cells.length < columns.length + 1) line.append(make("td"));
    columns.forEach((column, i) => fillCell(line.cells[i + 1], this.sheet, row, column));
  }
}

function compareKnown(a, b) {
  if (a === b) return 0;
  if (a === -Infinity) return 1;
  return b === -Infinity ? -1 : a - b;
}

function fillCell(cell, sheet, row, column) {
  const value = sheet.value(row, column);
  const error = sheet.error(row, column);
  const ratio = sheet.ratio(row, column);
  cell.style.background = "";
  cell.title = error ?? "";
  if (error !== undefined) return mark(cell, "filled wrong", "ERROR", "#ff0000");
  if (Number.isNaN(value)) return mark(cell, "gone", "missing", "");
  const percent = percentText(ratio);
  cell.className = percent ? "filled" : "";
  if (percent) cell.style.background = colourOf(ratio);
  const parts = [valueText(value, sheet.units[row]), ...(percent ? [" ", make("b", {}, `${percent} %`)] : [])];
  const ends = sheet.interval(row, column);
  // A larger ratio of times is a smaller percentage, so the interval's ends are swapped.
  if (ends) parts.push(make("small", {}, `${percentText(ends[1])} .. ${percentText(ends[0])} %`));
  cell.replaceChildren(...parts);
  return undefined;
}

function mark(cell, kind, word, colour) {
  cell.className = kind;
  cell.textContent = word;
  cell.style.background = colour;
}

// The state of the table, read from the address. If two columns have one label, it means the first.
function stateOf(sheet) {
  const labelled = (label) => sheet.columns.findIndex((one) => one.label === label);
  const one = (name, known) => (known.includes(address.get(name)) ? address.get(name) : known[0]);
  const by = labelled(address.get("by"));
  return {
    query: address.get("q"),
    columns: address.get("columns"),
    kind: one("rows", ["all", "slower", "faster", "holes"]),
    sort: one("sort", ["file", "name", "worst", "best", ...(by < 0 ? [] : ["column"])]),
    by,
    down: !address.get("up"),
    reference: Math.max(0, labelled(address.get("reference"))),
  };
}

function setUpTools(view) {
  const labels = [...new Set(view.sheet.columns.map(({ label }) => label))];
  element("reference").append(...labels.map((label) => make("option", {}, label)));
  const tools = { search: "q", "search-columns": "columns", kind: "rows", sort: "sort", reference: "reference" };
  for (const [id, name] of Object.entries(tools)) {
    let pause;
    element(id).addEventListener("input", ({ target }) => {
      clearTimeout(pause);
      pause = setTimeout(() => {
        address.set({ [name]: target.value }, { isStep: target.tagName === "SELECT" });
        view.follow();
      }, 60);
    });
  }
  addEventListener("popstate", () => view.follow());
  element("tools").addEventListener("submit", (event) => event.preventDefault());
  element("tools").hidden = false;
}

async function start() {
  setUpKeptTheme();
  const sheet = new Sheet(await unpackedJson("index"), await unpackedFloats("floats"));
  element("sheet").hidden = false;
  const view = new SheetView(sheet, element("sheet"));
  setUpTools(view);
  view.follow();
  document.documentElement.dataset.ready = "true";
}

start();
