// Globals of the workers' scripts, for the TypeScript compiler.

declare global {
  /** Of Go's wasm_exec.js. */
  class Go {
    env: Record<string, string>;
    importObject: WebAssembly.Imports;
    run(instance: WebAssembly.Instance): Promise<void>;
  }
  var fs: { writeSync(fd: number, bytes: Uint8Array): number };
  /** The compiled program, for the engine's own workers. */
  var pcpscopeProgram: WebAssembly.Module;
  /** The job of such a worker; undefined in the engine. */
  var pcpscopeJob: unknown;
}

export {};
