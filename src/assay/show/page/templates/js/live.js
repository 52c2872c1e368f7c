// The page of a session that runs: the server sends its looks, and the page shows the latest one.

const MOST_LOOKS = 2000; // rows of the table of all looks

class LivePage {
  constructor(address) {
    this.address = address;
    this.latest = null;
  }

  // A browser holds at most six connections to a server, so a page in the background closes its own.
  attach() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.follow()));
    element("looks").addEventListener("toggle", () => this.drawLooks());
    if (!document.hidden) this.follow();
  }

  follow() {
    if (this.source || this.latest?.last) return;
    this.source = new EventSource(this.address);
    this.source.addEventListener("look", ({ data }) => this.take(JSON.parse(data)));
    this.source.addEventListener("refused", ({ data }) => {
      this.pause();
      element("ended").textContent = data;
    });
  }

  pause() {
    this.source?.close();
    this.source = null;
  }

  take(look) {
    this.latest = look;
    say("verdicts", look.headline);
    say("open", look.open);
    say("stage", look.last ? "" : look.stage);
    this.drawTally(look.tally);
    element("done").hidden = look.done === null || look.last;
    if (look.done !== null) element("done").value = look.done;
    this.drawGrid(look.grid);
    this.drawLooks();
    element("failures").hidden = look.failed.length === 0;
    element("failed").replaceChildren(...look.failed.map((text) => make("li", {}, text)));
    if (look.last) this.end(look);
  }

  end(look) {
    this.pause();
    const link = look.href ? [" ", make("a", { href: look.href }, "Its run")] : [];
    element("ended").replaceChildren(look.stage, ...link);
  }

  drawTally(tally) {
    const place = element("tally");
    place.hidden = tally.length === 0;
    place.setAttribute("aria-label", tally.map(({ verdict, count }) => `${count} ${verdict}`).join(", "));
    place.replaceChildren(...tally.map(({ tone, count }) => {
      const part = drawn("svg", { class: tone, "aria-hidden": "true" });
      part.style.flexGrow = count;
      return part;
    }));
  }

  drawGrid(data) {
    if (this.grid) this.grid.take(data);
    else {
      this.grid = new Grid(data);
      this.grid.attach();
    }
  }

  // The table of all looks is drawn only while it is open.
  drawLooks() {
    const { past } = this.latest?.grid ?? {};
    element("looks").hidden = !past?.some(({ length }) => length);
    if (element("looks").hidden || !element("looks").open) return;
    const names = this.latest.grid.columns[0].shown;
    const rows = past.flatMap((looks, i) => looks.map(([rounds, , , , change, interval]) => [names[i], rounds, change, interval]));
    const body = rows.slice(0, MOST_LOOKS).map(([name, ...cells]) =>
      make("tr", {}, make("td", { class: "name" }, make("bdi", {}, name)), ...cells.map((cell) => make("td", { class: "number" }, String(cell)))));
    const titles = ["benchmark", "rounds", "change", "interval"];
    const head = titles.map((title, i) => make("th", { scope: "col", class: i ? "number" : "name" }, title));
    element("look-rows").replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
  }
}

// Writes a text only if it differs from the text that is there, so that selected text stays selected.
function say(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

// Draws the interval of one benchmark at each look, from the first on the left to the latest. The
// vertical axis spans all these intervals; margin and zero are seen only where they lie within it.
function narrowingPicture(looks, margin, label) {
  const [wide, high] = [120, 30];
  const [least, most] = [Math.min(...looks.map(([, low]) => low)), Math.max(...looks.map(([, , top]) => top))];
  const room = 0.04 * (most - least) || 0.01;
  const whole = looks.length > 1 ? looks : [looks[0], looks[0]];
  const [first, last] = [Math.log(looks[0][0]), Math.log(looks.at(-1)[0])];
  const x = ([rounds], i) => (last > first ? (wide * (Math.log(rounds) - first)) / (last - first) : wide * i);
  const y = (value) => (high * (most + room - value)) / (most - least + 2 * room);
  const points = (of) => whole.map((one, i) => `${x(one, i).toFixed(1)} ${y(one[of]).toFixed(1)}`);
  const path = `M${points(2).join("L")}L${points(1).reverse().join("L")}Z`;
  return drawn(
    "svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label },
    drawn("rect", { class: "band", x: 0, width: wide, y: y(margin), height: y(-margin) - y(margin) }),
    drawn("line", { class: "zero", x1: 0, x2: wide, y1: y(0), y2: y(0) }),
    drawn("path", { class: "interval", d: path }),
    drawn("path", { class: "change", d: `M${points(3).join("L")}` }),
  );
}
