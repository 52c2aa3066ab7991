// pcpscope in Node 20 and later: see node.js.
export * from "./pcpscope.js";
/** Files on disk, as open takes them: nothing of them is read before it is needed. */
export function files(...paths: string[]): Promise<{ name: string; data: Blob }[]>;
