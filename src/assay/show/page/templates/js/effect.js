// A small picture of one effect with its interval and the band of the margin, on the forest's axis.
function effectBar(axis, { low, high, change }) {
  const bent = (value) => Math.sign(value) * Math.log1p(Math.abs(value) / axis.linear_to);
  const from = bent(axis.lo);
  const width = bent(axis.hi) - from;
  const at = (value) => `${Math.max(1, Math.min(99, (100 * (bent(value) - from)) / width)).toFixed(2)}%`;
  const band = (100 * (bent(axis.margin) - bent(-axis.margin))) / width;
  return drawn(
    "svg", { width: "100%", height: 20 },
    drawn("rect", { class: "band", x: at(-axis.margin), width: `${band.toFixed(2)}%`, y: 0, height: 20 }),
    drawn("line", { class: "zero", x1: at(0), x2: at(0), y1: 0, y2: 20 }),
    drawn("line", { class: "span", x1: at(low), x2: at(high), y1: 10, y2: 10 }),
    drawn("circle", { cx: at(change), cy: 10, r: 3.5 }),
  );
}
