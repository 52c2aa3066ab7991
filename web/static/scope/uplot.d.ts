// The build makes uplot.js of vendor/uPlot.iife.min.js: a module leaves no
// global in the page that has the element.
declare const library: typeof uPlot;
export default library;
/** Its styles. */
export const css: string;
