// Runs before anything else on the page. The build bundles it into a classic script, since
// modules wait for the whole page.
import "./redirect.js";
import "./object.js";
import "./storage.js";
import "./program.js";
import "./handles.js";
import "./boot.js";
import "./recent.js";
