// Downloads: results as JSON and CSV, samples as CSV.

function save(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A cell of a CSV file. A spreadsheet runs text that begins like a formula, unless an apostrophe
// stands before it.
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const harmless = /^[\s]*[=+\-@\t\r|%]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function csv(titles, rows) {
  return [titles, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\r\n`);
}

function resultsCsv(model) {
  const titles = model.twoSided
    ? ["benchmark", "metric", "unit", "base", "candidate", "change", "low", "high", "verdict", "rounds"]
    : ["benchmark", "unit", "real", "cpu", "spread", "launches"];
  const told = titles.map((title) => model.called(title));
  return csv(told, model.rows.map((row) => titles.map((title) => row[title])));
}

async function samplesCsv(model) {
  await model.withDetails();
  const { launches } = model.index;
  const rows = [];
  for (const [launch, number] of launches.benchmark.entries()) {
    const name = model.index.names[number];
    const where = [model.called(launches.side[launch]), launches.round[launch], launches.launch[launch]];
    for (const metric of launches.metrics) {
      const values = await model.samples(launch, metric);
      values.forEach((value, i) => rows.push([name, metric, ...where, i, value, launches.unit[launch]]));
    }
  }
  const titles = [model.called("benchmark"), "metric", "side", "round", "launch", "sample", "value", "time_unit"];
  return csv(titles, rows);
}

function offerDownloads(model) {
  const offer = (id, act) => element(id).addEventListener("click", act);
  const json = () => [JSON.stringify(model.index.results, null, 2), "\n"];
  offer("get-json", () => save("assay-results.json", "application/json", json()));
  offer("get-csv", () => save("assay-results.csv", "text/csv", resultsCsv(model)));
  offer("get-samples", async () => save("assay-samples.csv", "text/csv", await samplesCsv(model)));
  element("downloads").hidden = false;
}
