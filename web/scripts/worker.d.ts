// What the workers' scripts find beside the browser's own, for the TypeScript
// compiler.

declare global {
  /** Go's own support, wasm_exec.js. */
  class Go {
    env: Record<string, string>;
    importObject: WebAssembly.Imports;
    run(instance: WebAssembly.Instance): Promise<void>;
  }
  var fs: { writeSync(fd: number, bytes: Uint8Array): number };
  /** The compiled program, for the engine's own workers. */
  var pcpscopeProgram: WebAssembly.Module;
  /** What such a worker is to do; undefined in the engine. */
  var pcpscopeJob: unknown;
}

export {};
