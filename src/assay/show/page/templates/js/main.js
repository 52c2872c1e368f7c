// Starts the page of a report: theme, tools, table, forest chart, downloads.

const VERDICTS = [
  "slower", "sometimes slower", "faster", "sometimes faster", "different", "placement", "same",
  "undecided",
];

function setUpTally() {
  for (const part of document.querySelectorAll(".tally svg")) part.style.flexGrow = part.dataset.share;
}

function setUpTools(model, table) {
  let pause;
  element("search").addEventListener("input", ({ target }) => {
    cancelAnimationFrame(pause);
    pause = requestAnimationFrame(() => table.change({ query: target.value }));
  });
  element("search").value = table.state.query;
  window.addEventListener("popstate", () => {
    table.follow();
    element("search").value = table.state.query;
    element("metric").value = table.state.metric;
    if (model.twoSided) setUpVerdicts(model, table);
    table.attach(element("benchmarks"));
  });
  element("tools").addEventListener("submit", (event) => event.preventDefault());
  if (model.twoSided) setUpVerdicts(model, table);
  if (model.index.metrics.length > 1) setUpMetrics(model, table);
  element("tools").hidden = false;
}

function setUpMetrics(model, table) {
  const select = element("metric");
  select.append(...model.index.metrics.map((name) => make("option", { value: name }, name)));
  select.append(make("option", { value: "" }, "all metrics"));
  select.value = table.state.metric;
  select.addEventListener("change", () => {
    table.change({ metric: select.value });
    setUpVerdicts(model, table);
  });
  element("metric-label").hidden = false;
}

function setUpVerdicts(model, table) {
  const inMetric = (row, i) => table.state.metric === "" || model.metricOf(i) === table.state.metric;
  const rows = model.rows.filter(inMetric);
  const buttons = VERDICTS.map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length])
    .filter(([, count]) => count)
    .map(([verdict, count]) => verdictButton(table, verdict, count));
  element("verdicts").replaceChildren(...buttons);
}

function verdictButton(table, verdict, count) {
  const { off } = table.state;
  const pressed = String(!off.has(verdict));
  const attributes = { type: "button", class: verdict, "aria-pressed": pressed };
  const button = make("button", attributes, `${count} ${verdict}`);
  button.addEventListener("click", () => {
    if (!off.delete(verdict)) off.add(verdict);
    button.setAttribute("aria-pressed", String(!off.has(verdict)));
    table.change({});
  });
  return button;
}

function setUpForest(model) {
  const { rows, params } = model.index.forest;
  if (!rows.length) return;
  const all = model.rows.filter((row) => row.metric === model.index.main).length;
  const of = `The ${rows.length} most important of ${all.toLocaleString("en")}; `;
  const some = rows.length < all ? `${of}all are in the table below. ` : "";
  const caption = `${some}Change of ${model.index.main}, ${model.called("candidate")} against ${model.called("base")}: `
    + "point and interval. Grey band: the margin. To the left: less.";
  element("forest-caption").textContent = caption;
  element("effects").hidden = false;
  const place = element("forest");
  const names = () => Math.min(300, Math.max(96, place.clientWidth * 0.32));
  // The width for names follows from the widest one, so that short names leave room for effects.
  const needed = () => Math.min(names(), 10 + 6.4 * Math.max(...rows.map(({ name }) => name.length)));
  lazyChart(place, "forest", () => ({ rows, params: { ...params, names: needed() }, beside: needed() + 78 }),
    `Forest plot. ${caption} The table below has the same numbers.`);
}

function setUpDecisions(model) {
  model.index.decisions.forEach((rows, i) => {
    const widest = (key) => 6.4 * Math.max(...rows.map((row) => row[key].length));
    const content = () => ({ rows, beside: widest("case") + widest("winner") + 60 });
    lazyChart(element(`decision-${i}`), "decision", content, "Which to take. The table below has the same.");
  });
}

function setUpSweep(model) {
  model.index.sweep.forEach(({ chart, title, rows }, i) => {
    const widest = 6.4 * Math.max(...rows.map(({ series }) => series.length));
    lazyChart(element(`sweep-${i}`), chart, () => ({ rows, beside: widest + 110 }),
      `${title}. The table below has the numbers.`);
  });
}

async function start() {
  setUpKeptTheme();
  setUpTally();
  const model = new Model(await unpackedJson("index"));
  const table = new BenchmarkTable(model, detailOpener(model));
  setUpTools(model, table);
  table.attach(element("benchmarks"));
  offerDownloads(model);
  document.documentElement.dataset.ready = "true";
  if (model.twoSided) setUpForest(model);
  if (typeof setUpWhy === "function") await setUpWhy(); // it exists where the report has answers of `assay why`
  setUpDecisions(model);
  setUpSweep(model);
}

start();
