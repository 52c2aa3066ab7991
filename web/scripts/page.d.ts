// What the scripts of the page find on it beside the browser's own, for the
// TypeScript compiler.

import type { Calls, DOMEvent, Events, Refusal } from "../canvas/canvas.d.ts";
import type { Pcpscope } from "../static/pcpscope.js";

/** A file as the page takes it: name is the path below what the user gave, with "/" between folders. */
export interface NamedFile {
  name: string;
  data: Blob | Remote;
}

/** What lies on a server, in place of a Blob. */
export interface Remote {
  url: string;
  size: number;
  /** What its server is to be shown, in Authorization. */
  token?: string;
}

/** static/boot.js */
export interface Intake {
  /** Hands every batch of files to fn, waiting or still to come. */
  take(fn: (files: NamedFile[]) => void): void;
  /** Takes files as if they had been dropped. */
  give(files: NamedFile[]): void;
  /** Hands a file to fn that the user chose in place of one that is open. */
  again(fn: (files: NamedFile[]) => void): void;
  /** Names, on the empty page, files that could not be used. */
  refused(list: Refusal[]): void;
  /** Writes below the drop zone. */
  status(text: string): void;
}

/** static/handles.js */
export interface Handles {
  /** Whether the browser can ask for a file and keep its handle. */
  canPick: boolean;
  /** The handle of a file, by the name it was given with; null where there is none. */
  of(name: string): FileSystemHandle | null;
  /** The handles of files and folders that hold these, each once; [] where one is missing. */
  all(names: string[]): FileSystemHandle[];
  /** Knows these handles from now on. */
  keep(list: FileSystemHandle[]): void;
  /** Asks the user for one file; null when the user changes their mind. */
  pick(): Promise<{ name: string; handle: FileSystemFileHandle } | null>;
}

/** static/storage.js: local storage that never throws. */
export interface Storing {
  get(key: string): string | null;
  set(key: string, text: string): void;
  remove(key: string): void;
  /** What JSON says there, if that is an object, or {}: anybody may have written it. */
  object(key: string): Record<string, any>;
}

/** One source that was opened, as the list of recent ones keeps it. */
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
  /** It was opened just now. */
  note(entry: RecentEntry): void;
  /** What a link or a session asks for; null for nothing. */
  wants(list: { title: string; text: string }[] | null): void;
}

/** static/layout.js: one edge between the parts of the page. */
export interface Edge {
  /** The custom property with the size of its part. */
  property: string;
  /** How the size follows the pointer. */
  size(e: PointerEvent): number;
  min: number;
  max: number;
  start: number;
  wider: string;
  narrower: string;
}

/** What the browser has stored of the layout: anybody may have written it. */
export type Layout = Record<string, any>;

/** static/drawing.js: what Go's components draw, done to the page. */
export interface Drawing {
  /** Hears of each event that a template handles, with a DOMEvent. */
  listen(fn: (number: number, type: string, event: Wire) => void): void;
  /** Of the event that is being handled. */
  preventDefault(): void;
  stopPropagation(): void;
  /** The element that the first drawing takes the place of. */
  mount(id: string): void;
  /** Takes steps, as JSON: see drawing.js. */
  apply(text: string): void;
}

/** web/page/embedding_js.go: what scripts around the page may do with it. */
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

/** internal/build/inside.js: set in the edition that is one file. */
export interface Inside {
  program(): Promise<WebAssembly.Module>;
  worker: string;
  workersReadBlobs(): Promise<boolean>;
}

/** What browsers have of the File System Access API, which TypeScript does not declare. */
interface Permission { mode: "read" | "readwrite" }

/** A value on its way between page, engine and program: see wasm/rpc, Message. */
export interface Wire {
  text: string;
  data: ArrayBuffer | null;
  blobs?: unknown[];
}

// What pcpscope.js has beside its interface, for the page's own scripts and
// the program in the page.
declare module "../static/pcpscope.js" {
  /** A value in the form in which it crosses. */
  function toWire(value: unknown): Wire;
  /** A value out of that form; its type is whatever was put in. With parts, arrays are parts of the message's data. */
  function fromWire(wire: Wire, parts?: boolean): any;

  interface Pcpscope {
    callWire(method: string, wire: Wire, options: object): Promise<Wire>;
  }
}

/** static/charts/sync.js: the canvases, for Go. What goes over is in web/canvas. */
export interface Charts {
  /** Does what Go asks: one of Calls, with its request. */
  call(name: keyof Calls, request: Wire): Wire | Promise<Wire>;
  /** Hears what the user does: kinds of Events, with the event. */
  listen(fn: (kind: keyof Events, event: Wire) => void): void;
  /** Calls fn once the next frame is on the screen; a page that nobody looks at has none. */
  later(fn: () => void): void;
}

/** What the page's scripts and the program share: window.pcpscopePage. */
export interface Page {
  /** Whether it is the page of tests, which always looks the same. */
  test?: boolean;
  /** The program, from the first moment on: see static/program.js. */
  early?: { url: string; program: Promise<WebAssembly.Module> };
  inside?: Inside;
  /** To be called once the first picture stands. */
  mounted(): void;
  storage: Storing;
  /** navigator.serviceWorker, or null where it is denied. */
  workers: ServiceWorkerContainer | null;
  intake: Intake;
  handles: Handles;
  recent: Recent;
  drawing: Drawing;
  charts: Charts;
  /** Once the program is there; the event pcpscope-view tells. */
  view?: View;
}

declare global {
  var pcpscope: Pcpscope | undefined;
  var pcpscopeReady: Promise<Pcpscope>;
  var pcpscopePage: Page;

  /** Go's own support, wasm_exec.js. */
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
