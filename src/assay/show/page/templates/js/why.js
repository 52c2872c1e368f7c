// Starts the page of `assay why`: theme, flame graphs and sorting.

async function start() {
  setUpTheme();
  await setUpWhy();
  document.documentElement.dataset.ready = "true";
}

start();
