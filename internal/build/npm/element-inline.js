// The element with the program inside it: see inline.js. It is unpacked when
// the first element is shown.

import { PcpScope } from "./pcp-scope.js";
import { parts } from "./inline.js";

/** @type {WebAssembly.Module | Promise<WebAssembly.Module> | undefined} */
let own;

Object.defineProperty(PcpScope.settings, "program", { get: () => own ?? parts().program, set: (program) => { own = program; }, enumerable: true });
PcpScope.settings.worker = () => parts().worker();

export { PcpScope };
