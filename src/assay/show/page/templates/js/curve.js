// Draws the levels of a family of benchmarks against the one parameter in which they differ.

function drawCurve(place, { points, unit }) {
  const [width, height] = [Math.max(240, Math.min(640, place.clientWidth)), 220];
  const room = { left: 60, right: 14, top: 20, bottom: 22 };
  const scale = (values, from, to) => {
    const [lo, hi] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
    return (value) => (hi > lo ? from + ((Math.log(value) - lo) / (hi - lo)) * (to - from) : (from + to) / 2);
  };
  const x = scale(points.map((one) => one.x), room.left, width - room.right);
  const y = scale(points.map((one) => one.y), height - room.bottom, room.top);
  const line = points.map((one, i) => `${i ? "L" : "M"}${x(one.x).toFixed(1)} ${y(one.y).toFixed(1)}`).join("");
  const dots = points.map((one) => drawn("circle", { cx: x(one.x), cy: y(one.y), r: 3, class: one.here ? "here" : false }));
  const ends = [points[0], points[points.length - 1]];
  const words = ends.map((one, i) => drawn("text", { x: x(one.x), y: height - 4, "text-anchor": i ? "end" : "start" }, String(one.x)));
  const sides = [Math.min(...points.map((one) => one.y)), Math.max(...points.map((one) => one.y))].map((value) =>
    drawn("text", { x: room.left - 8, y: y(value) + 4, "text-anchor": "end" }, `${Number(value.toPrecision(3))} ${unit}`));
  place.replaceChildren(drawn("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    drawn("path", { d: line }), ...dots, ...words, ...sides));
}
