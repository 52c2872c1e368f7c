// Starts the page on why.

async function start() {
  setUpTheme();
  await setUpWhy();
  document.documentElement.dataset.ready = "true";
}

start();
