// A long table: searched by a regular expression, filtered, sorted, its columns chosen. Rows are
// drawn some at a time, so that ten thousand of them open as fast as ten.

const FIRST_ROWS = 50;
const MORE_ROWS = 400;

class Grid {
  constructor(data) {
    this.data = data; // columns, facets, order, href, why, tone, bars, keys
    this.names = data.columns.find(({ kind }) => kind === "name").shown;
    this.ticked = new Set();
    this.body = make("tbody");
    this.onTick = () => {};
    this.onOpen = () => {};
  }

  attach() {
    this.setUpSearch();
    this.setUpFacets();
    this.setUpColumns();
    this.setUpKeys();
    window.addEventListener("popstate", () => this.follow());
    element("tools").addEventListener("submit", (event) => {
      event.preventDefault();
      this.move(1); // Enter in the search field goes to the first row that was found
    });
    element("tools").hidden = false;
    this.follow();
  }

  // Draws the table as the address of the page says: search, filters, columns and order.
  follow() {
    element("search").value = address.get("q");
    for (const select of element("facets").querySelectorAll("select")) {
      select.value = address.get(select.name);
      if (select.selectedIndex < 0) select.value = "";
    }
    const chosen = this.shownColumns();
    for (const box of element("columns").querySelectorAll("input")) {
      box.checked = chosen.some(({ key }) => key === box.name);
    }
    this.draw();
  }

  setUpSearch() {
    const field = element("search");
    let pause;
    field.addEventListener("input", () => {
      cancelAnimationFrame(pause);
      pause = requestAnimationFrame(() => this.change({ q: field.value }, { isStep: false }));
    });
  }

  setUpFacets() {
    element("facets").append(...this.data.facets.filter(({ values }) => values.length > 1).map((facet) => {
      const options = facet.values.map((value) => make("option", { value }, value));
      const all = make("option", { value: "" }, "all");
      const select = make("select", { name: facet.key }, all, ...options);
      select.addEventListener("change", () => this.change({ [facet.key]: select.value }));
      return make("label", {}, `${facet.title} `, select);
    }));
  }

  setUpColumns() {
    element("columns").append(...this.data.columns.filter(({ kind }) => kind !== "name").map(({ key, title }) => {
      const box = make("input", { type: "checkbox", name: key });
      box.addEventListener("change", () => this.chooseColumns());
      return make("label", {}, box, title);
    }));
  }

  chooseColumns() {
    const boxes = [...element("columns").querySelectorAll("input")];
    const chosen = boxes.filter(({ checked }) => checked).map(({ name }) => name);
    const usual = this.data.columns.filter(({ kind, off }) => kind !== "name" && !off).map(({ key }) => key);
    this.change({ cols: chosen.join() === usual.join() ? "" : chosen.join() || "-" });
  }

  setUpKeys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input[type=search], input:not([type]), select, .history")) return;
      const act = { "/": () => element("search").focus(), j: () => this.move(1), k: () => this.move(-1), x: () => this.tickFocused() }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  move(by) {
    const links = [...this.body.querySelectorAll("td.name a")];
    const at = links.indexOf(document.activeElement?.closest("tr")?.querySelector("td.name a"));
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  }

  tickFocused() {
    document.activeElement?.closest("tr")?.querySelector("td.tick input")?.click();
  }

  // Shows other rows; search, ticked rows, order and the number of rows shown stay as they are.
  take(data) {
    const focused = document.activeElement?.closest("#grid") ? document.activeElement.closest("td, th") : null;
    const limit = this.limit;
    this.data = data;
    this.names = data.columns.find(({ kind }) => kind === "name").shown;
    this.draw(limit);
    const cell = focused && this.table.rows[focused.parentElement.rowIndex]?.cells[focused.cellIndex];
    cell?.querySelector("a, button, input")?.focus();
  }

  change(words, how) {
    address.set(words, how);
    this.follow();
  }

  shownColumns() {
    const chosen = address.get("cols");
    return this.data.columns.filter(({ key, kind, off }) =>
      kind === "name" || (chosen ? chosen.split(",").includes(key) : !off));
  }

  pattern() {
    this.wanted = expressionOf(address.get("q"), this.wanted ?? /(?:)/, (what) => {
      element("odd").textContent = what;
      element("search").setAttribute("aria-invalid", String(Boolean(what)));
    });
    return this.wanted;
  }

  chosen() {
    const wanted = this.pattern();
    const facets = this.data.facets
      .map(({ key, values, of }) => ({ of, at: values.indexOf(address.get(key)) }))
      .filter(({ at }) => at >= 0);
    return this.sorted().filter((row) =>
      facets.every(({ of, at }) => of[row] === at) && wanted.test(this.names[row]));
  }

  sorted() {
    const { by, down } = this.sorting();
    if (!by) return this.data.order;
    const { sort, shown } = by;
    const sign = down ? -1 : 1;
    return [...this.data.order].sort((a, b) => sign * compareCells(sort, shown, a, b));
  }

  sorting() {
    const text = address.get("sort");
    const by = this.data.columns.find(({ key }) => key === text.replace(/^-/, ""));
    return { by, down: text.startsWith("-") };
  }

  draw(limit = FIRST_ROWS) {
    this.rows = this.chosen();
    this.limit = limit;
    const columns = this.shownColumns();
    const focused = document.activeElement?.closest("#grid th")?.cellIndex;
    const head = make("tr", {}, ...this.tickHead(), ...columns.flatMap((one) => this.heading(one)));
    this.body.replaceChildren(...this.rows.slice(0, this.limit).map((row) => this.row(columns, row)));
    this.table = make("table", {}, make("thead", {}, head), this.body);
    element("grid").replaceChildren(this.table);
    if (focused !== undefined) this.table.rows[0].cells[focused]?.querySelector("button")?.focus();
    const all = this.data.order.length.toLocaleString("en");
    element("shown").textContent = `${this.rows.length.toLocaleString("en")} of ${all} ${this.data.noun}`;
    this.drawMore();
  }

  drawMore() {
    const left = this.rows.length - this.limit;
    const button = make("button", { type: "button" }, `Show ${Math.min(left, MORE_ROWS)} more of ${left.toLocaleString("en")}`);
    button.addEventListener("click", () => this.showMore());
    element("more").hidden = left <= 0;
    element("more").replaceChildren(button);
  }

  showMore() {
    const from = this.limit;
    this.limit += MORE_ROWS;
    const columns = this.shownColumns();
    this.body.append(...this.rows.slice(from, this.limit).map((row) => this.row(columns, row)));
    this.drawMore();
  }

  heading(column) {
    const { by, down } = this.sorting();
    const isFirst = by === column;
    const button = make("button", { type: "button" }, column.title);
    button.addEventListener("click", () => this.change({ sort: (isFirst && !down ? "-" : "") + column.key }));
    const heading = make("th", { scope: "col", class: cellClass(column) }, button);
    if (isFirst) heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    return column.kind === "change" && this.data.bars
      ? [heading, make("th", { scope: "col", class: "bar" }, "effect")]
      : [heading];
  }

  row(columns, row) {
    return make("tr", { class: "row" }, ...this.tick(row), ...columns.flatMap((one) => this.cells(one, row)));
  }

  cells(column, row) {
    const cell = make("td", { class: cellClass(column) });
    const text = column.shown[row];
    if (column.kind === "name") cell.append(this.name(row, text));
    else if (column.kind === "line") cell.append(sparkline(text));
    else if (column.kind === "change") cell.append(this.size(row, text));
    else if (column.kind === "narrowing") cell.append(...this.narrowing(row, text));
    else cell.append(text);
    if (column.kind === "narrowing" || column.kind === "verdict") cell.classList.add(this.data.tone[row]);
    if (column.kind !== "change") return [cell];
    if (this.data.tone) cell.classList.add(this.data.tone[row]);
    return this.data.bars ? [cell, this.bar(row)] : [cell];
  }

  name(row, text) {
    const href = this.data.href?.[row];
    return href ? make("a", { href }, make("bdi", {}, text)) : make("bdi", {}, text);
  }

  // The size of a change; for the worse, it is a link to the page that says why.
  size(row, text) {
    const href = this.data.why?.[row];
    return href ? make("a", { href, "aria-label": `${text}: why ${this.names[row]} is worse` }, text) : text;
  }

  narrowing(row, text) {
    const looks = this.data.past[row];
    return looks.length ? [narrowingPicture(looks, this.data.margin, text)] : [];
  }

  bar(row) {
    const { axis, low, high, change } = this.data.bars;
    if (change[row] === null) return make("td", { class: "bar" });
    const effect = { low: low[row], high: high[row], change: change[row] };
    return make("td", { class: `bar ${this.data.tone[row]}`, "aria-hidden": "true" }, effectBar(axis, effect));
  }

  tickHead() {
    if (!this.data.keys) return [];
    const box = make("input", { type: "checkbox", "aria-label": "All rows that are shown" });
    box.addEventListener("change", () => this.tickAll(box.checked));
    return [make("th", { class: "tick", scope: "col" }, box)];
  }

  tickAll(isOn) {
    for (const row of this.rows) this.ticked[isOn ? "add" : "delete"](this.data.keys[row]);
    for (const box of this.body.querySelectorAll("td.tick input")) box.checked = isOn;
    this.onTick(this.ticked);
  }

  tick(row) {
    if (!this.data.keys) return [];
    const key = this.data.keys[row];
    const box = make("input", { type: "checkbox", "aria-label": `Choose ${this.names[row]}` });
    box.checked = this.ticked.has(key);
    box.addEventListener("change", () => {
      this.ticked[box.checked ? "add" : "delete"](key);
      this.onTick(this.ticked);
    });
    return [make("td", { class: "tick" }, box)];
  }
}

function cellClass({ kind, less }) {
  return less ? `${kind} less` : kind;
}

function compareCells(sort, shown, a, b) {
  if (!sort) return shown[a] < shown[b] ? -1 : Number(shown[a] > shown[b]) || a - b;
  return (sort[a] ?? -Infinity) - (sort[b] ?? -Infinity) || a - b;
}

// Draws a line from a text whose characters are eight heights of blocks.
function sparkline(text) {
  const heights = [...text].map((char) => char.charCodeAt(0) - 0x2581);
  const step = 120 / Math.max(1, heights.length - 1);
  const path = heights.map((height, i) => `${i ? "L" : "M"}${(i * step).toFixed(1)} ${18 - height * 2.2}`).join("");
  return drawn("svg", { viewBox: "0 0 120 20", role: "img", "aria-label": `trend ${text}` }, drawn("path", { d: path }));
}
