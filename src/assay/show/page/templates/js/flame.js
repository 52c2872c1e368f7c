// Differential flame graphs: a box for each function in each stack, callers above what they call.
//
// A box is as wide as its function's cost on the side chosen. With both sides, each function counts
// with its larger own cost, so that functions that are gone or new are seen too. The deeper the
// colour, the larger the share of the cost that was added or saved.

const ROW = 20;
const LETTER = 6.7; // pixels that a letter is wide in the boxes' font
const WIDTHS = { both: Math.max, candidate: (base, candidate) => candidate, base: (base) => base };

class Frame {
  constructor([name, base, candidate, inner], above, depth) {
    Object.assign(this, { name, own: [base, candidate], above, depth });
    this.inner = inner.map((one) => new Frame(one, this, depth + 1));
    const sum = (side) => this.inner.reduce((whole, one) => whole + one.whole[side], this.own[side]);
    this.whole = [sum(0), sum(1)];
  }

  get more() {
    return this.whole[1] - this.whole[0];
  }

  measure(width) {
    const inside = this.inner.map((one) => one.measure(width));
    this.size = inside.reduce((whole, one) => whole + one, width(...this.own));
    return this.size;
  }

  isWithin(other) {
    for (let one = this; one; one = one.above) if (one === other) return true;
    return false;
  }
}

class Flame {
  constructor(figure, picture) {
    this.names = picture.names;
    this.unit = picture.unit;
    this.root = new Frame(picture.tree, null, 0);
    this.top = this.root;
    this.here = this.root;
    this.query = "";
    this.width = WIDTHS.both;
    this.said = make("p", { class: "said", "aria-live": "polite" });
    this.svg = drawn("svg", { role: "group", "aria-label": `Flame graph: ${picture.title}` });
    const frames = make("div", { class: "frames" });
    frames.append(this.svg);
    figure.append(this.tools(), frames, this.said, make("figcaption", {}, LEGEND, picture.note));
    figure.hidden = false;
    this.svg.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(frames);
    this.tell(this.root);
  }

  tools() {
    const search = make("input", { type: "search", placeholder: "Search functions", "aria-label": "Search functions", spellcheck: "false" });
    search.addEventListener("input", () => { this.query = search.value.toLowerCase(); this.draw(); });
    const widths = make("select", {},
      make("option", { value: "both" }, "both sides"),
      make("option", { value: "candidate" }, "the candidate"),
      make("option", { value: "base" }, "the base"));
    widths.addEventListener("change", () => { this.width = WIDTHS[widths.value]; this.draw(); });
    this.reset = make("button", { type: "button", disabled: "" }, "Show all");
    this.reset.addEventListener("click", () => this.zoom(this.root));
    const form = make("form", { class: "tools" }, search, make("label", {}, "As wide as in ", widths), this.reset);
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  zoom(frame) {
    this.top = frame;
    this.here = frame;
    this.reset.disabled = frame === this.root;
    this.draw();
    this.tell(frame);
  }

  draw() {
    const room = this.svg.parentNode.clientWidth;
    if (!room) return;
    this.root.measure(this.width);
    this.boxes = new Map();
    this.deepest = 0;
    const scale = this.top.size ? room / this.top.size : 0;
    for (let one = this.top.above; one; one = one.above) this.box(one, 0, room);
    this.place(this.top, 0, scale);
    const height = (this.deepest + 1) * ROW;
    setAll(this.svg, { viewBox: `0 0 ${room} ${height}`, height });
    const boxes = [...this.boxes.values()].sort((a, b) => a.frame.depth - b.frame.depth || a.x - b.x);
    this.svg.replaceChildren(...boxes.map((one) => one.drawn));
    this.focusable(this.boxes.has(this.here) ? this.here : this.top);
  }

  place(frame, x, scale) {
    const width = frame.size * scale;
    if (width < 0.6) return;
    this.box(frame, x, width);
    let at = x;
    for (const one of this.sorted(frame.inner)) {
      this.place(one, at, scale);
      at += one.size * scale;
    }
  }

  // Frames in the order in which they are drawn: the largest stands at the left.
  sorted(frames) {
    return [...frames].sort((a, b) => b.size - a.size);
  }

  box(frame, x, width) {
    const y = frame.depth * ROW;
    this.deepest = Math.max(this.deepest, frame.depth);
    const box = drawn("g", { role: "button", tabindex: "-1", "aria-label": this.text(frame) });
    const size = { x, y, width: Math.max(width - 0.5, 0.5), height: ROW - 1 };
    box.append(drawn("rect", { class: "plain", ...size }));
    const part = Math.abs(frame.more) / Math.max(...frame.whole, 1e-9);
    if (part > 1e-4) {
      const opacity = (0.08 + 0.5 * part).toFixed(3);
      box.append(drawn("rect", { class: frame.more > 0 ? "more" : "fewer", "fill-opacity": opacity, ...size }));
    }
    const letters = Math.floor((width - 8) / LETTER);
    if (letters > 2) box.append(drawn("text", { x: x + 4, y: y + 14 }, cut(this.label(frame), letters)));
    if (frame !== this.top && this.top.isWithin(frame)) box.classList.add("above");
    if (this.query) box.classList.add(this.isFound(frame) ? "found" : "missed");
    box.addEventListener("click", () => this.zoom(frame));
    box.addEventListener("pointerenter", () => this.tell(frame));
    box.addEventListener("focus", () => this.tell(frame));
    this.boxes.set(frame, { frame, x, drawn: box });
  }

  label(frame) {
    const part = frame.more / Math.max(...frame.whole, 1e-9);
    const sign = Math.abs(part) < 0.005 ? "" : part > 0 ? "▲ " : "▼ ";
    return sign + (frame === this.root ? "all" : this.names[frame.name][0]);
  }

  isFound(frame) {
    return frame !== this.root && this.names[frame.name][1].toLowerCase().includes(this.query);
  }

  text(frame) {
    const name = frame === this.root ? "all" : this.names[frame.name][1];
    return `${name}: ${this.amounts(frame)}`;
  }

  amounts({ whole, own }) {
    const told = `${number(whole[0])} → ${number(whole[1])} ${this.unit} (${signed(whole)})`;
    const inner = own[0] !== whole[0] || own[1] !== whole[1];
    return inner ? `${told}; by itself ${number(own[0])} → ${number(own[1])} (${signed(own)})` : told;
  }

  tell(frame) {
    const name = frame === this.root ? "all" : this.names[frame.name][1];
    this.said.replaceChildren(make("b", {}, name), ` ${this.amounts(frame)}`);
  }

  // Makes one box reachable with the tab key; the others are reached from it with the arrow keys.
  focusable(frame) {
    for (const { drawn: box } of this.boxes.values()) box.setAttribute("tabindex", "-1");
    this.here = frame;
    this.boxes.get(frame)?.drawn.setAttribute("tabindex", "0");
  }

  key(event) {
    const to = { ArrowUp: this.here.above, ArrowDown: this.sorted(this.here.inner)[0], ArrowLeft: this.beside(-1), ArrowRight: this.beside(1) };
    if (event.key === "Enter" || event.key === " ") this.zoom(this.here);
    else if (event.key === "Escape") this.zoom(this.root);
    else if (event.key in to) {
      if (this.boxes.has(to[event.key])) this.focusable(to[event.key]);
    } else return;
    event.preventDefault();
    this.boxes.get(this.here).drawn.focus();
  }

  beside(step) {
    const all = this.sorted(this.here.above?.inner ?? []);
    return all[all.indexOf(this.here) + step];
  }
}

const LEGEND = "Callers stand above what they call; a box is as wide as what it costs. ▲ orange-red costs more than before, " +
  "▼ blue less; the deeper the colour, the larger the part of the box that changed. Click a box to see it alone. ";

function cut(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}

function number(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

// As `format.change` of words/format.py writes it: a large change is a factor.
function change(fraction) {
  if (fraction >= 9) return `x${number(fraction + 1)}`;
  return `${fraction > 0 ? "+" : "-"}${Number((100 * Math.abs(fraction)).toPrecision(2))} %`;
}

function signed([base, candidate]) {
  const more = candidate - base;
  if (!more) return "no change";
  const sign = more > 0 ? "+" : "-";
  const share = base ? `, ${change(more / base)}` : ", new";
  return `${sign}${number(Math.abs(more))}${candidate ? share : ", gone"}`;
}

async function setUpFlames() {
  const pictures = await unpackedJson("why-pictures");
  for (const figure of document.querySelectorAll("figure.flame")) {
    const { benchmark, picture } = figure.dataset;
    new Flame(figure, pictures[Number(benchmark.replace("why-", ""))][Number(picture)]);
  }
}
