// pcpscope with its program and its worker inside the script: see inline.js.
import type { StartOptions } from "./pcpscope.js";
export * from "./pcpscope.js";
/** What start needs in place of files beside it; for the element: Object.assign(PcpScope.settings, parts()). */
export function parts(): Required<Pick<StartOptions, "program" | "worker">>;
