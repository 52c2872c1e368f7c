// The detail that opens beneath a row of the table: numbers, notes and charts of one benchmark.

function detailOpener(model) {
  return async (button, row) => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    const line = button.closest("tr");
    if (open) {
      line.nextElementSibling.remove();
      return;
    }
    const visible = [...line.cells].filter(({ offsetWidth }) => offsetWidth).length;
    const cell = make("td", { colspan: visible });
    line.after(make("tr", { class: "detail" }, cell));
    cell.append(await panel(model, row));
    // All charts are drawn at once, even those out of view, because the page may be printed.
    for (const place of cell.querySelectorAll(".chart")) drawWaiting(place);
  };
}

async function panel(model, row) {
  await model.withDetails();
  const made = make("div", { class: "panel" });
  const whole = model.index.names[model.nameOf[row]];
  const shown = model.index.table.columns[0].shown[row];
  if (whole !== shown) made.append(make("p", { class: "whole" }, make("bdi", {}, whole)));
  if (model.twoSided) made.append(...words(model, row));
  const values = [
    model.twoSided && metricsTable(model, model.rowsOfSameBenchmark(row)),
    await distributionFigure(model, row),
    ...percentileFigures(model, row),
    ...throughputFigures(model, row),
  ].filter(Boolean);
  // These charts stand one above the other, because they share their axis of rounds.
  const times = [
    await launchesFigure(model, row),
    await changesFigure(model, row),
    hostFigure(model, row),
  ].filter(Boolean);
  const halves = [make("div", {}, ...values), make("div", {}, ...times)];
  made.append(make("div", { class: "grid" }, ...halves));
  if (!made.querySelector("figure")) made.append(make("p", { class: "note" }, "There are no samples to draw."));
  return made;
}

function words(model, row) {
  const { method, notes, findable } = model.rows[row];
  const lines = [`Method: ${method}.`, ...notes.map((note) => `Note: ${note}.`)];
  const least = Number((100 * findable).toPrecision(2));
  if (findable) lines.push(`Smallest change findable with this: ${least} %.`);
  return [make("p", { class: "note" }, lines.join(" "))];
}
