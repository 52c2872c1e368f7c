// The state of a page (search, filters, order) is in its address, so that it can be sent, kept, and
// gone back to.

const address = {
  unkept: null,

  words() {
    return new URLSearchParams(this.unkept ?? location.search);
  },

  get(name) {
    return this.words().get(name) ?? "";
  },

  // A choice is a step that "back" undoes; letters typed into a field are one step together.
  set(changes, { isStep = true } = {}) {
    const words = this.words();
    for (const [name, value] of Object.entries(changes)) {
      if (value) words.set(name, value);
      else words.delete(name);
    }
    const text = words.toString();
    const to = location.pathname + (text ? `?${text}` : "");
    try {
      if (isStep) history.pushState(null, "", to);
      else history.replaceState(null, "", to);
    } catch {
      this.unkept = text; // a frame whose address may not change: the state holds for this visit
    }
  },
};

// The regular expression that is searched for, without regard to case. If `text` is no regular
// expression, `last` is returned, and `told` is called with the reason.
function expressionOf(text, last, told) {
  try {
    const made = new RegExp(text.slice(0, 200), "i");
    told("");
    return made;
  } catch (error) {
    told(`Not a regular expression: ${error.message}`);
    return last;
  }
}

// Where a chosen theme is kept, for all pages of this store; null where a browser keeps nothing.
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null; // a frame without storage, or a reader who forbids it
  }
}

function setUpKeptTheme() {
  const kept = storage();
  const chosen = kept?.getItem("assay-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  setUpTheme();
  element("theme").addEventListener("click", () => {
    kept?.setItem("assay-theme", document.documentElement.dataset.theme);
  });
}
