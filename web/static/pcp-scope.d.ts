// The element <pcp-scope>: see pcp-scope.js and docs/embedding.md.

import type { Fault, Frame, Opened, Pcpscope, Progress, Source, StartOptions } from "./pcpscope.js";

/** Attributes: src, metrics, instances, start, end, interval, zone, convert, view, read. */
export class PcpScope extends HTMLElement {
  /** The engine shared by all elements on this page. */
  static engine(): Promise<Pcpscope>;
  /** How to start the engine, and headers for requests of archives. To be set before the first element is shown. */
  static settings: StartOptions & { headers?: Record<string, string> };
  /** The Source and the Frame shown; null before. For a dashboard, the first panel's frame. */
  readonly source: Source | null;
  readonly frame: Frame | null;
  /** Settles when the latest update has been shown or refused. Never rejects: see the event error. */
  readonly settled: Promise<void>;
  /** The visible time range in nanoseconds; null for that of the attributes. */
  window: { start: bigint; end: bigint } | null;
  /** Shows files provided by the page, in place of src. */
  open(files: Iterable<File | { name: string; data: Blob | ArrayBuffer | Uint8Array }>): Promise<void>;

  addEventListener<K extends keyof PcpScopeEvents>(type: K, listener: (this: PcpScope, e: PcpScopeEvents[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: HTMLElement, e: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof PcpScopeEvents>(type: K, listener: (this: PcpScope, e: PcpScopeEvents[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: HTMLElement, e: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** The attributes for JSX: React passes them as properties of <pcp-scope>. */
export interface PcpScopeAttributes {
  src?: string;
  metrics?: string;
  instances?: string;
  start?: string;
  end?: string;
  interval?: string;
  zone?: string;
  convert?: "none" | "rate";
  view?: "chart" | "table" | `dashboard:${string}` | "explain" | "story";
  read?: "preview" | "window" | "all";
}

export interface PcpScopeEvents {
  progress: CustomEvent<Parameters<NonNullable<Progress["onProgress"]>>[0]>;
  loaded: CustomEvent<{ source: Source; rejected: Opened["rejected"] }>;
  /** The user zoomed; null for back to the whole range. */
  window: CustomEvent<{ start: bigint; end: bigint } | null>;
  /** The point under the cursor: an index into the frame's times, and its time as text. */
  selection: CustomEvent<{ index: number | null; time: string }>;
  error: CustomEvent<Fault>;
}

declare global {
  interface HTMLElementTagNameMap {
    "pcp-scope": PcpScope;
  }
}
