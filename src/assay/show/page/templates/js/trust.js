// Starts the page of `assay trust`, on which a script only switches the theme.

const element = (id) => document.getElementById(id);

setUpTheme();
document.documentElement.dataset.ready = "true";
