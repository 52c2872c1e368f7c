// The figures of one benchmark: which rows and parameters each of its charts gets.

function keyed(model, side) {
  const fill = side === "base" ? "var(--base)" : "var(--candidate)";
  const square = drawn("rect", { width: 10, height: 10, fill });
  const mark = drawn("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, square);
  return make("span", { class: "key" }, mark, model.called(side));
}

function sidesCaption(model) {
  return model.twoSided ? [keyed(model, "base"), " above, ", keyed(model, "candidate"), " below. "] : [];
}

async function distributionFigure(model, row) {
  const { lo, hi, unit } = axisOf(model, row);
  const rows = await sampleRows(model, row);
  if (!rows.length) return null;
  const beyond = rows.filter(({ v }) => v > hi).length;
  const cut = beyond ? ` ${beyond} of them beyond the right edge.` : "";
  const kept = model.index.every > 1 ? ` (every ${model.index.every}th)` : "";
  const caption = [`How often each value was measured, ${unit}. `, ...sidesCaption(model),
    `${rows.length.toLocaleString("en")} samples${kept}.${cut}`];
  const content = { rows, params: { lo, hi, bottom: model.twoSided ? -1 : 0 }, beside: 24 };
  return chartFigure("distribution", content, {
    caption, titles: ["side", `value, ${unit}`], cells: ({ side, v }) => [model.called(side), v],
  });
}

async function sampleRows(model, row) {
  const metric = model.metricOf(row);
  const rows = [];
  for (const launch of model.launchesOf(row)) {
    const side = model.index.launches.side[launch];
    const divisor = model.divisor(row, launch);
    for (const value of await model.samples(launch, metric)) rows.push({ side, v: value / divisor });
  }
  return rows;
}

// Rows in time order: one for each launch, or for each repetition if a side has one launch only.
async function orderRows(model, row) {
  const metric = model.metricOf(row);
  const next = { base: 1, candidate: 1, measured: 1 };
  const places = model.launchesOf(row);
  const alone = places.length <= (model.twoSided ? 2 : 1);
  const rows = [];
  for (const launch of places) {
    const side = model.index.launches.side[launch];
    const divisor = model.divisor(row, launch);
    const values = alone ? await model.samples(launch, metric) : [await model.estimate(launch, metric)];
    for (const value of values) {
      const n = roundOf(model, launch) ?? next[side];
      next[side] += 1;
      if (!Number.isNaN(value)) rows.push({ n, side, v: value / divisor });
    }
  }
  return { rows, alone };
}

function roundOf(model, launch) {
  const number = model.index.launches.round[launch];
  return number === null || number === undefined ? null : number + 1;
}

async function launchesFigure(model, row) {
  const { launch_lo: lo, launch_hi: hi, unit } = axisOf(model, row);
  const { rows, alone } = await orderRows(model, row);
  if (rows.length < 2) return null;
  const what = alone ? "Each repetition" : "Each launch";
  const keys = model.twoSided ? [keyed(model, "base"), " ", keyed(model, "candidate")] : [];
  const caption = [`${what} in time order, ${unit}. `, ...keys];
  const content = { rows: thin(rows), params: { lo, hi, last: lastOf(rows) } };
  return chartFigure("launches", content, {
    caption,
    titles: [alone ? "repetition" : "round", "side", `value, ${unit}`],
    cells: ({ n, side, v }) => [n, model.called(side), v],
  });
}

async function changesFigure(model, row) {
  const { change_lo: lo, change_hi: hi } = axisOf(model, row);
  const metric = model.metricOf(row);
  const rows = [];
  for (const launch of model.launchesOf(row)) {
    const change = await model.change(launch, metric);
    if (!Number.isNaN(change)) rows.push({ n: roundOf(model, launch), change });
  }
  if (rows.length < 2) return null;
  const { low, high, change, verdict } = model.rows[row];
  const { margin } = model.index.results.settings;
  const params = { lo, hi, low: low ?? change, high: high ?? change, change, margin };
  const content = { rows, params: { ...params, last: lastOf(rows), verdict: `var(--${verdict.replace("sometimes ", "")})` } };
  const caption = [`${capital(model.called("candidate"))} against ${model.called("base")}, round by round. `,
    "Line and band: the effect and its interval; grey: the margin."];
  return chartFigure("changes", content, {
    caption, titles: ["round", "change, %"], cells: (one) => [one.n, 100 * one.change],
  });
}

function hostFigure(model, row) {
  const { steal, load } = model.index.launches;
  const seen = new Set();
  const rows = [];
  for (const launch of model.launchesOf(row)) {
    const n = roundOf(model, launch);
    if (n === null || (steal[launch] === null && load[launch] === null)) continue;
    rows.push({ n: seen.has(n) ? n + 0.5 : n, steal: steal[launch], load: load[launch] });
    seen.add(n);
  }
  rows.sort((a, b) => a.n - b.n);
  if (rows.length < 2) return null;
  const most = Math.max(...rows.map((one) => one.load ?? 0));
  const stolen = rows.filter((one) => one.steal > 0).length;
  const caption = ["The host meanwhile. ",
    `Bars: CPU taken by the hypervisor (in ${stolen} launches); `,
    `line: load, at most ${most.toFixed(2)}.`];
  const most_steal = Math.max(0.01, ...rows.map((one) => one.steal ?? 0));
  const params = { last: lastOf(rows), most_steal, most_load: Math.max(1, most) };
  return chartFigure("host", { rows, params }, {
    caption, titles: ["round", "steal, %", "load"],
    cells: (one) => [one.n, one.steal === null ? null : 100 * one.steal, one.load],
  });
}

function percentileFigures(model, row) {
  const { benchmark } = model.rows[row];
  const curves = model.index.curves.filter((one) => one.benchmark === benchmark);
  const names = [...new Set(curves.map(({ name }) => name))];
  return names.map((name) => percentileFigure(model, name, curves.filter((one) => one.name === name)));
}

function percentileFigure(model, name, curves) {
  const rows = curves.flatMap(({ side, above, values }) =>
    above.map((q, i) => ({ q, v: values[i], side })));
  const least = Math.max(1e-6, Math.min(...rows.map(({ q }) => q).filter((q) => q > 0)));
  const counts = curves.map(({ side, count }) => `${count.toLocaleString("en")} in ${model.called(side)}`).join(", ");
  const caption = [`Percentiles of ${name}, ${curves[0].unit}; ${counts}. Dashed: ${model.called("base")}.`];
  return chartFigure("percentiles", { rows: rows.filter(({ q }) => q >= least), params: { least } }, {
    caption,
    titles: ["side", "percentile", curves[0].unit],
    cells: ({ side, q, v }) => [model.called(side), `${Number((100 * (1 - q)).toPrecision(7))} %`, v],
  });
}

function throughputFigures(model, row) {
  const places = new Set(model.launchesOf(row));
  const series = model.index.series.filter(({ launch }) => places.has(launch));
  const names = [...new Set(series.map(({ name }) => name))];
  return names.map((name) => {
    const rows = series.filter((one) => one.name === name).flatMap(({ launch, t, v }) =>
      t.map((at, i) => ({ t: at, v: v[i], side: model.index.launches.side[launch] })));
    return chartFigure("throughput", { rows: thin(rows) }, {
      caption: [`${name} over time.`], titles: ["side", "t", name], cells: ({ side, t, v }) => [model.called(side), t, v],
    });
  });
}

function axisOf(model, row) {
  return Object.fromEntries(Object.entries(model.index.axes).map(([key, column]) => [key, column[row]]));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function lastOf(rows) {
  return rows.reduce((last, { n }) => Math.max(last, n), 1);
}

// Every k-th row, so that there are no more points than the picture has pixels.
function thin(rows, most = 4000) {
  const every = Math.ceil(rows.length / most);
  return every > 1 ? rows.filter((_, i) => i % every === 0) : rows;
}
