// The build makes uplot.js from vendor/uPlot.iife.min.js, as a module that
// adds no global to the embedding page.
declare const library: typeof uPlot;
export default library;
/** Its styles. */
export const css: string;
