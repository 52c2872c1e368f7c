// Draws a chart: a Vega-Lite specification made in Python, filled with rows and parameters.
// Vega is unpacked and run when the first chart is wanted, after the page was painted, because that
// keeps the browser busy for a quarter of a second. It is in the page, or at `data-at`; `loadVega`
// says whether it was had: `assay serve` may have been stopped since the page was loaded.

const SPECS = JSON.parse(element("specs").textContent);

const NO_CHART = "This chart could not be loaded: the server does not answer. Start assay serve again, then reload the page.";

const loadVega = once(async () => {
  await painted();
  const { at } = element("vega").dataset;
  const packed = at ? await textAt(at) : element("vega").textContent;
  if (packed === null) return false;
  const script = make("script");
  script.textContent = await (await inflated(packed)).text();
  document.head.append(script);
  return true;
});

// The text at an address of the server; null: the server does not answer.
async function textAt(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

function painted() {
  return new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(next))));
}

const EMBEDDING = {
  mode: "vega-lite",
  renderer: "svg",
  ast: true, // expressions are interpreted: the page's policy forbids eval
  actions: false,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
};

function filled(name, { rows, params = {}, width }) {
  const spec = structuredClone(SPECS[name]);
  for (const one of spec.params) one.value = params[one.name] ?? one.value;
  return { ...spec, width, datasets: { rows } };
}

async function drawChart(place, name, content, describe) {
  const width = Math.max(120, place.clientWidth - (content.beside ?? 60));
  place.dataset.width = place.clientWidth;
  const { view } = await window.vegaEmbed(place, filled(name, { ...content, width }), EMBEDDING);
  const svg = place.querySelector("svg");
  svg.removeAttribute("style");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", describe);
  for (const inner of svg.querySelectorAll("[role]")) inner.setAttribute("aria-hidden", "true");
  return view;
}

// A chart is drawn when it comes into view, and again when its width has changed.
const waiting = new Map();

const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) drawWaiting(target);
  }
}, { rootMargin: "300px" });

const resizer = new ResizeObserver((entries) => {
  for (const { target } of entries) if (isStale(target)) drawWaiting(target);
});

function isStale(place) {
  const drawnAt = Number(place.dataset.width);
  return drawnAt && place.clientWidth && Math.abs(drawnAt - place.clientWidth) > 4;
}

async function drawWaiting(place) {
  const { name, content, describe, after } = waiting.get(place) ?? {};
  if (!name || place.dataset.drawing) return;
  watcher.unobserve(place);
  place.dataset.drawing = "yes";
  try {
    if (await loadVega()) {
      await drawChart(place, name, content(), describe);
      after?.(place);
    } else place.textContent = NO_CHART;
  } finally {
    delete place.dataset.drawing;
  }
  if (isStale(place)) drawWaiting(place); // its width changed while it was drawn
}

function lazyChart(place, name, content, describe, after) {
  waiting.set(place, { name, content, describe, after });
  watcher.observe(place);
  resizer.observe(place);
}

function chartFigure(name, content, { caption, titles, cells }) {
  const place = make("div", { class: "chart" });
  const describe = `Chart: ${caption.map((part) => part.textContent ?? part).join("")}`;
  lazyChart(place, name, () => content, describe);
  const table = tableBehind(() => dataTable(titles, content.rows.map(cells), describe));
  return make("figure", {}, place, make("figcaption", {}, ...caption), table);
}
