// What a page with answers of `assay why` needs: flame graphs, and tables that can be sorted.

function setUpSorting(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = make("button", { type: "button" }, head.textContent);
    button.addEventListener("click", () => sortBy(table, heads, column));
    head.replaceChildren(button);
  });
}

function sortBy(table, heads, column) {
  const head = heads[column];
  const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : head.dataset.sort === "number";
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const order = head.dataset.sort === "number"
    ? (a, b) => Math.abs(key(a)) - Math.abs(key(b))
    : (a, b) => key(a).localeCompare(key(b));
  const rows = [...table.tBodies[0].rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
  table.tBodies[0].append(...rows);
  for (const one of heads) one.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
}

async function setUpWhy() {
  for (const table of document.querySelectorAll("table.sortable")) setUpSorting(table);
  await setUpFlames();
}
