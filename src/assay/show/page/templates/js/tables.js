// Small tables: the numbers of each chart, and all metrics of one benchmark.

const MOST_ROWS = 2000;

function dataTable(titles, rows, caption) {
  const head = make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)));
  const shown = rows.slice(0, MOST_ROWS).map((cells) =>
    make("tr", {}, ...cells.map((cell) => make("td", { class: "number" }, text(cell)))),
  );
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...shown));
  const left = rows.length - shown.length;
  const note = left > 0 ? [make("p", { class: "note" }, `${left} more are in the samples' CSV.`)] : [];
  const region = { class: "scroll", tabindex: 0, role: "region", "aria-label": caption };
  return make("div", region, table, ...note);
}

function text(cell) {
  if (cell === null || cell === undefined || Number.isNaN(cell)) return "-";
  return typeof cell === "number" ? String(Number(cell.toPrecision(6))) : cell;
}

// A <details> element whose table is made when it is first opened.
function tableBehind(makeTable) {
  const details = make("details", {}, make("summary", {}, "As a table"));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(makeTable());
  });
  return details;
}

function metricsTable(model, rows) {
  const { columns } = model.index.table;
  const kept = columns.filter(({ kind }) => kind !== "name");
  const head = make("tr", {}, ...kept.map((column) =>
    make("th", { scope: "col", class: column.kind }, column.title)));
  const body = rows.map((row) => make("tr", {}, ...kept.map((column) => metricCell(model, column, row))));
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  const label = { class: "scroll metrics", tabindex: 0, role: "region", "aria-label": "All metrics" };
  return make("div", label, table);
}

function metricCell(model, column, row) {
  const cell = make("td", { class: column.kind });
  if (column.kind === "verdict") cell.append(...verdictParts(column.shown[row], model.rows[row]));
  else cell.textContent = column.shown[row];
  return cell;
}
