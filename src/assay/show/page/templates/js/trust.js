// Starts the page on trust, which is plain HTML but for its colours.

const element = (id) => document.getElementById(id);

setUpTheme();
document.documentElement.dataset.ready = "true";
