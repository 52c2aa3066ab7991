// What runs before anything else on the page. The build joins it into one
// script that is no module, since modules wait for the whole page.
import "./elsewhere.js";
import "./object.js";
import "./storage.js";
import "./program.js";
import "./handles.js";
import "./boot.js";
import "./recent.js";
