// The engine's thread in Node: what its script finds in a browser's worker.
import { openAsBlob } from "node:fs";
import { parentPort } from "node:worker_threads";

const port = /** @type {NonNullable<typeof parentPort>} */ (parentPort);
const scope = /** @type {any} */ (globalThis);
scope.self = scope;
scope.addEventListener ??= () => {};
scope.postMessage = (/** @type {any} */ data, /** @type {any} */ transfer) => port.postMessage(data, transfer);
/** What came before: messages stay in their order. @type {Promise<unknown>} */
let before = import("./worker.js");
port.on("message", (data) => {
  before = before.then(async () => {
    if (data.wire?.blobs) data.wire.blobs = await Promise.all(data.wire.blobs.map((/** @type {any} */ b) => (typeof b === "string" ? openAsBlob(b) : b)));
    scope.onmessage?.({ data });
  });
});
