// Starts a page of a store: theme, charts, table, triage.

function setUpTriage(grid) {
  const form = element("triage");
  if (!form) return;
  grid.onTick = (ticked) => {
    form.hidden = ticked.size === 0;
    element("ticked").textContent = `${ticked.size.toLocaleString("en")} chosen`;
  };
  form.addEventListener("submit", () => {
    form.querySelector("[name=back]").value = location.search;
    for (const old of form.querySelectorAll("[name=key]")) old.remove();
    form.append(...[...grid.ticked].map((value) => make("input", { type: "hidden", name: "key", value })));
  });
}

function setUpGrid(data) {
  const grid = new Grid(data);
  grid.attach();
  setUpTriage(grid);
}

async function start() {
  setUpKeptTheme();
  const data = await unpackedJson("data");
  if (data.hosts) {
    const links = data.served ? "../compare.html" : "";
    setUpView(data.hosts.map((one, i) => new HistoryChart(element(`history-${i}`), element(`cursor-${i}`), one, links)));
    if (data.curve) drawCurve(element("curve"), data.curve);
  }
  data.floors?.forEach((one, i) => new HistoryChart(element(`floor-${i}`), element(`floor-cursor-${i}`), one, ""));
  if (data.live) new LivePage(data.live).attach();
  if (typeof setUpWhy === "function") await setUpWhy(); // it exists where the page has an answer of `assay why`
  if (data.grid || data.hosts) setUpGrid(data.grid ?? runsGrid(data.hosts));
  document.documentElement.dataset.ready = "true";
}

start();
