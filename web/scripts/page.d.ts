// Types of what the page's scripts share, for the TypeScript compiler.

import type { Calls, DOMEvent, Events, Refusal } from "../canvas/canvas.d.ts";
import type { Pcpscope } from "../static/pcpscope.js";

/** A file to open. name is its path within the folder that was dropped or chosen, separated by "/". */
export interface NamedFile {
  name: string;
  data: Blob | Remote;
}

/** A file on a server. */
export interface Remote {
  url: string;
  size: number;
  /** Sent in the Authorization header. */
  token?: string;
}

/** static/boot.js */
export interface Intake {
  /** Calls fn with every batch of files, including those received before. */
  onFiles(fn: (files: NamedFile[]) => void): void;
  /** Handles files as if they had been dropped. */
  add(files: NamedFile[]): void;
  /** Calls fn with a file that the user chose to re-read one that is open. */
  onReplacement(fn: (files: NamedFile[]) => void): void;
  /** Lists files that could not be opened, on the empty page. */
  refused(list: Refusal[]): void;
  /** Shows a text below the drop zone. */
  status(text: string): void;
}

/** static/handles.js */
export interface Handles {
  /** Whether the browser has a file picker that returns handles. */
  canPick: boolean;
  /** The handle of a file by its name; null if there is none. */
  of(name: string): FileSystemHandle | null;
  /** The handles of these files, or of the folders that contain them, without repetitions; [] if one is missing. */
  all(names: string[]): FileSystemHandle[];
  /** Adds handles. */
  keep(list: FileSystemHandle[]): void;
  /** Opens the file picker for one file; null if the user cancels. */
  pick(): Promise<{ name: string; handle: FileSystemFileHandle } | null>;
}

/** static/storage.js: local storage without exceptions. */
export interface Storing {
  get(key: string): string | null;
  set(key: string, text: string): void;
  remove(key: string): void;
  /** The object stored as JSON; {} if there is none. Its content is untrusted. */
  object(key: string): Record<string, any>;
}

/** An entry of the list of recent sources. */
export interface RecentEntry {
  fingerprint: string;
  kind: string;
  name: string;
  host: string;
  span: string;
  bytes: number;
  files: string[];
  /** Milliseconds since 1970; set by the list. */
  at?: number;
}

/** static/recent.js */
export interface Recent {
  /** Adds a source that was just opened. */
  add(entry: RecentEntry): void;
  /** Lists the sources that a link or session needs; null for none. */
  showMissing(list: { title: string; text: string }[] | null): void;
}

/** static/layout.js: a divider between two panes. */
export interface Edge {
  /** The custom property with the size of the pane. */
  property: string;
  /** The size of the pane for a position of the pointer. */
  size(e: PointerEvent): number;
  min: number;
  max: number;
  start: number;
  wider: string;
  narrower: string;
}

/** The stored layout; untrusted. */
export type Layout = Record<string, any>;

/** static/drawing.js: applies the output of Go's components to the page. */
export interface Drawing {
  /** Calls fn with each event that a template handles, and a DOMEvent. */
  listen(fn: (number: number, type: string, event: Wire) => void): void;
  /** For the event that is being handled. */
  preventDefault(): void;
  stopPropagation(): void;
  /** The ID of the element that the first drawing replaces. */
  mount(id: string): void;
  /** Applies steps, encoded as JSON: see drawing.js. */
  apply(text: string): void;
}

/** web/page/embedding_js.go: the functions for embedding pages. */
export interface View {
  open(files: NamedFile[]): Promise<Wire>;
  window(start: string, end: string): Promise<boolean>;
  panels(text: string): Promise<boolean>;
  source(id: number): Promise<boolean>;
  close(id: number): Promise<boolean>;
  state(): Promise<string>;
  session(): Promise<string>;
  restore(text: string): Promise<string>;
  changed?: (text: string) => void;
}

/** internal/build/inside.js: set in the single-file edition. */
export interface Inside {
  program(): Promise<WebAssembly.Module>;
  worker: string;
  workersReadBlobs(): Promise<boolean>;
}

/** Parts of the File System Access API that TypeScript does not declare. */
interface Permission { mode: "read" | "readwrite" }

/** An encoded value, as sent between page, engine and program: see wasm/rpc, Message. */
export interface Wire {
  text: string;
  data: ArrayBuffer | null;
  blobs?: unknown[];
}

// Internal functions of pcpscope.js, for the page's own scripts and program.
declare module "../static/pcpscope.js" {
  /** Encodes a value. */
  function toWire(value: unknown): Wire;
  /** Decodes a value; its type is whatever was encoded. With parts, arrays are views of the message's data. */
  function fromWire(wire: Wire, parts?: boolean): any;

  interface Pcpscope {
    callWire(method: string, wire: Wire, options: object): Promise<Wire>;
  }
}

/** static/charts/sync.js: the canvases, for Go. web/canvas defines the messages. */
export interface Charts {
  /** Handles a call from Go: one of Calls, with its request. */
  call(name: keyof Calls, request: Wire): Wire | Promise<Wire>;
  /** Calls fn with each user event: one of Events. */
  listen(fn: (kind: keyof Events, event: Wire) => void): void;
  /** Calls fn once the next frame is on screen; a hidden page has no frames. */
  later(fn: () => void): void;
}

/** window.pcpscopePage: shared by the page's scripts and the program. */
export interface Page {
  /** Set for ?test=1: the page looks the same everywhere and at any time. */
  test?: boolean;
  /** The program while it is being compiled: see static/program.js. */
  early?: { url: string; program: Promise<WebAssembly.Module> };
  inside?: Inside;
  /** To be called after the first drawing. */
  mounted(): void;
  storage: Storing;
  /** navigator.serviceWorker, or null if denied. */
  workers: ServiceWorkerContainer | null;
  intake: Intake;
  handles: Handles;
  recent: Recent;
  drawing: Drawing;
  charts: Charts;
  /** Set once the program is running, before the event pcpscope-view. */
  view?: View;
}

declare global {
  var pcpscope: Pcpscope | undefined;
  var pcpscopeReady: Promise<Pcpscope>;
  var pcpscopePage: Page;

  /** Of Go's wasm_exec.js. */
  class Go {
    env: Record<string, string>;
    importObject: WebAssembly.Imports;
    run(instance: WebAssembly.Instance): Promise<void>;
  }

  interface IntersectionObserverInit {
    trackVisibility?: boolean;
    delay?: number;
  }
  interface IntersectionObserverEntry {
    readonly isVisible: boolean;
  }

  function showOpenFilePicker(): Promise<FileSystemFileHandle[]>;
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
  interface FileSystemHandle {
    queryPermission(p: Permission): Promise<PermissionState>;
    requestPermission(p: Permission): Promise<PermissionState>;
  }
}
