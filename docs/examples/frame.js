// Speaks with pcpscope in a frame of another origin.
const frame = document.getElementById("pcpscope"), origin = new URL(frame.src).origin;
const replies = new Map();
let calls = 0;

const post = (message, transfer = []) => frame.contentWindow.postMessage({ pcpscope: 1, ...message }, origin, transfer);
const call = (command, params, transfer) => new Promise((done, failed) => {
  const id = ++calls;
  replies.set(id, ({ result, fault }) => (fault ? failed(new Error(fault.message)) : done(result)));
  post({ type: "call", id, command, params }, transfer);
});

addEventListener("message", async ({ origin: from, data }) => {
  if (from !== origin || data?.pcpscope !== 1) return;
  switch (data.type) {
    case "available": return post({ type: "hello" });
    case "reply": return replies.get(data.id)?.(data);
    case "event": return console.log(data.event, data.detail);
    case "ready": {
      const names = ["web01.meta", "web01.index", "web01.0"];
      const files = await Promise.all(names.map(async (name) => ({ name, data: await (await fetch(`/archives/${name}`)).arrayBuffer() })));
      const { sources: [source] } = await call("open", { files }, files.map((f) => f.data));
      await call("view", { panels: [["kernel.all.load"], ["disk.all.read", "disk.all.write"]] });
      await call("window", { start: source.end - 60_000_000_000n, end: source.end });
    }
  }
});
