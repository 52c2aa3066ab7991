// Messages between Go and the scripts of its page; a test compares them with
// package canvas. Times are seconds after the origin of the axis.

/** A message without fields. */
export interface None {}

/** A time range. */
export interface Span {
  start: number;
  end: number;
}

/** The window and everything shown on the time axis. */
export interface Timeline {
  /** Seconds since 1970. */
  origin: number;
  /** The window. */
  start: number;
  end: number;
  /** The whole source. */
  from: number;
  to: number;
  gaps: Gap[];
  problems: Problem[];
  findings: FindingSpan[];
  notes: Note[];
  /** Windows A and B during a comparison; only A if B is in another source. */
  compared: Span[];
  /** In order; the first also applies to earlier times. */
  zone: Offset[];
}

/** A range, or a moment, that no line crosses. */
export interface Gap {
  start: number;
  end: number;
  label: string;
  /** Recorded data were lost. */
  lost: boolean;
}

/** A pin with its number in the list of problems. */
export interface Problem {
  at: number;
  n: number;
}

/** The time range of a finding. */
export interface FindingSpan {
  start: number;
  end: number;
  /** "know", "look", "broken" */
  level: string;
}

/** A note of the user. */
export interface Note {
  at: number;
  n: number;
  text: string;
}

/** The host's UTC offset from a time on. */
export interface Offset {
  from: number;
  /** Seconds east of UTC. */
  east: number;
}

/** What the page shows after Go's drawing. */
export interface Drawn {
  panels: PanelRev[];
  cursor: number | null;
  /** Changes when something other than the charts moved the cursor. */
  cursorRev: number;
  pinned: boolean;
  tree: TreeRows | null;
}

/** The revision of a panel. */
export interface PanelRev {
  id: number;
  rev: number;
}

/** The rows of the tree that are on the page. */
export interface TreeRows {
  first: number;
  /** Number of all rows. */
  count: number;
}

/** The panels whose data are missing. */
export interface MissingPanels {
  panels: number[];
}

/** A chart or table with its data. */
export interface Panel {
  id: number;
  rev: number;
  title: string;
  unit: string;
  decimals: number;
  /** As api.DashboardPanel.Style; "" is a line chart, "rows" a table of times, "table" a table of instances. */
  style: string;
  stack: boolean;
  /** Some lines are drawn downwards. */
  mirror: boolean;
  log: boolean;
  /** Each line relative to its own maximum. */
  share: boolean;
  /** Upper end of the scale; 0 for that of the values. */
  max: number;
  fixed: Ends | null;
  levels: Level[];
  /** The time up to which data are complete; null if they are. */
  readTo: number | null;
  /** The reasons for missing values, indexed by the numbers in Line.why. */
  words: string[];
  /** The values are only those around one moment. */
  near: boolean;
  /** How the values summarise a step: "mean" and so on; "" if each is a single observation. */
  reduced: string;
  /** Total of all areas of a stack; empty if it is the sum of the lines. */
  total: Float64Array;
  times: Float64Array;
  lines: Line[];
  /** Lines shown only in the legend. */
  legendOnly: Line[];
  /** Names of the lines, if each has a row. */
  rows: string[];
  /** For style "state": the texts that the values index. */
  states: string[];
  /** For style "heatmap". */
  peak: number;
}

/** Ends of a scale fixed by the user. */
export interface Ends {
  low: number;
  high: number;
}

/** A line across the chart. */
export interface Level {
  value: number;
  label: string;
}

/** One series. */
export interface Line {
  /** In the legend. */
  index: number;
  label: string;
  instance: string;
  /** The instance's human-readable name. */
  called: string;
  metric: string;
  /** Header of its column in a table of instances. */
  column: string;
  colour: number;
  stepped: boolean;
  below: boolean;
  bold: boolean;
  right: boolean;
  hatched: boolean;
  decimals: number;
  unit: string;
  /** Converts values to unit. */
  factor: number;
  /** NaN where there is no value. */
  values: Float64Array;
  /** Minimum and maximum of each step; empty if every value is a single observation. */
  low: Float64Array;
  high: Float64Array;
  /** The last value in the window, in unit; NaN if none. */
  last: number;
  /** Reasons for missing values; empty if none is known. */
  why: Uint8Array;
  texts?: (string | null)[];
  dots: Dots | null;
  /** For style "event". */
  marks: Marks | null;
}

/** Observations drawn as dots over a line, in the line's unit. */
export interface Dots {
  times: Float64Array;
  values: Float64Array;
}

/** Events, ascending. */
export interface Marks {
  at: Float64Array;
  flags: string[];
  texts: string[];
}

/** The envelope of a series over the whole span. */
export interface Pulse {
  times: Float64Array;
  values: Float64Array;
  /** The maximum of each step; empty if every value is a single observation. */
  high: Float64Array;
  /** Null once everything has been read. */
  readTo: number | null;
}

/** All sparklines. */
export interface Sparks {
  lines: Spark[];
}

/** A sparkline for elements whose data-spark is its name. */
export interface Spark {
  name: string;
  values: Float64Array;
}

/** What the drawer shows. */
export interface Table {
  page: string;
  title: string;
  note: string;
  /** Base name of exported files. */
  name: string;
  empty: string;
  rows: number;
  /** Index of the first row of these columns: long tables arrive in parts. */
  from: number;
  /** More parts follow. */
  more: boolean;
  /** The value of a full bar; 0 for the maximum. */
  full: number;
  /** A column; -1 if unsorted. */
  sort: number;
  down: boolean;
  filter: string;
  /** Sort, filter or columns have changed. */
  chosen: boolean;
  /** The action that opens the file dialog. */
  opens: string;
  columns: Column[];
  /** CSS classes of the rows. */
  marks?: string[];
}

/** A column of a Table: see table.js. */
export interface Column {
  head: string;
  group: string;
  /** See table.js. */
  kind: string;
  width?: string;
  decimals: number;
  strong: boolean;
  faint: boolean;
  mono: boolean;
  hidden: boolean;
  name: string;
  /** Name in exported files. */
  as: string;
  texts?: string[];
  /** Instead of texts that repeat: each of them once. */
  words?: string[];
  /** For each row, the index of its text among words. */
  word?: Float64Array;
  /** Space-separated words for each row. */
  tags?: string[];
  numbers?: Float64Array;
  /** The second line of each cell. */
  under: Column | null;
}

/** What changed between two windows, and the selected change. The lists have an entry for each change. */
export interface Compared {
  order: string;
  rows: number;
  /** Index of the selected change. */
  at: number;
  fault: string;
  what: string[];
  metric: string[];
  unit: string[];
  /** Series that moved with it. */
  with: string[];
  brief: string[];
  ratio: string[];
  medianA: string[];
  medianB: string[];
  shift: string[];
  effect: Float64Array;
  /** Sort keys for the texts of the same name. */
  keyA: Float64Array;
  keyB: Float64Array;
  keyShift: Float64Array;
  keyRatio: Float64Array;
  /** Sparklines. */
  a: Float64Array[];
  b: Float64Array[];
  windowA: Span;
  windowB: Span;
  /** Unit of the selected change. */
  unitOf: string;
  factor: number;
  decimals: number;
  middleA: number;
  middleB: number;
}

/**
 * A measure by days and hours. Hourly values are in order of days, 24 for each; usual values are per hour of the
 * week, beginning with Sunday.
 */
export interface Days {
  name: string;
  unit: string;
  /** Converts values to unit. */
  factor: number;
  decimals: number;
  /** Cells are coloured by the maximum. */
  highest: boolean;
  /** Index of the selected day; -1 if none. */
  picked: number;
  /** Start times of the days. */
  starts: Float64Array;
  /** "28 Feb" */
  labels: string[];
  /** "Tue 28 Feb" */
  names: string[];
  weekdays: Float64Array;
  /** NaN without observations. */
  average: Float64Array;
  minimum: Float64Array;
  maximum: Float64Array;
  /** Fraction of the hour with data. */
  covered: Float64Array;
  median: Float64Array;
  p10: Float64Array;
  p90: Float64Array;
  /** Times on the page's axis. */
  boots: Float64Array;
  /** Indices of days. */
  unusual: Float64Array;
}

/** Whether the cursor is pinned. */
export interface Sticky {
  on: boolean;
}

/** An element's ID. */
export interface Target {
  name: string;
}

/** Files that could not be used. */
export interface Refusals {
  list: Refusal[];
}

/** One of them, or several with the same reason. */
export interface Refusal {
  names: string;
  reason: string;
  /** All names, if there are many. */
  all: string;
}

/** A source opened before. */
export interface Recent {
  fingerprint: string;
  kind: string;
  name: string;
  host: string;
  span: string;
  bytes: number;
  files: string[];
}

/** The files that a link or a session needs. */
export interface MissingSources {
  list: MissingSource[];
}

/** One source. */
export interface MissingSource {
  title: string;
  text: string;
}

/** The texts around a panel's picture. */
export interface Picture {
  panel: number;
  /** "svg" or "png" */
  kind: string;
  title: string;
  unit: string;
  about: string;
  /** Headers of the legend. */
  head: string[];
  rows: PictureRow[];
}

/** A row of the legend. */
export interface PictureRow {
  colour: number;
  cells: string[];
}

/** A finished picture. */
export interface Drawable {
  file: Blob;
}

/** What the components need to know of a DOM event. */
export interface DOMEvent {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  target: EventTarget;
}

/** The element where it happened: a field has both. */
export interface EventTarget {
  value: string | null;
  selectionStart: number | null;
}

/** Multiplies the window's length by a factor, around a time. */
export interface ZoomBy {
  factor: number;
  at: number;
}

/** Moves the window by a fraction of its length. */
export interface Pan {
  share: number;
}

/** Position of the pointer; null outside the charts. */
export interface Cursor {
  at: number | null;
}

/** Pins the cursor; null lets it follow the pointer again. */
export interface Pin {
  at: number | null;
}

/** Makes a panel active: new metrics are added to it. */
export interface Activate {
  panel: number;
}

/** The panels on screen or near it. */
export interface NearPanels {
  panels: number[];
}

/** The visible lines of the tree. */
export interface Scroll {
  first: number;
  rows: number;
}

/** The number of visible lines of the search list. */
export interface VisibleHits {
  rows: number;
}

/** The user's settings of the drawer's table. */
export interface View {
  page: string;
  /** Name of a column; "" if unsorted. */
  sort: string;
  down: boolean;
  filter: string;
}

/** Shows or hides a column of the drawer's table. */
export interface ShowColumn {
  page: string;
  name: string;
  shown: boolean;
}

/** Runs the action of a row of the drawer's table. */
export interface Row {
  row: number;
}

/** An hour of a day was clicked; hour -1 means the whole day. */
export interface Hour {
  day: number;
  hour: number;
}

/** Selects one of the changes between two windows. */
export interface Pick {
  row: number;
}

/** Sets the window. */
export interface Zoom {
  start: number;
  end: number;
}

/** Returns to the previous window. */
export interface Unzoom {}

/** Requests more lines of the search list. */
export interface MoreHits {}

/** Calls from Go to the scripts: package canvas, Calls. */
export interface Calls {
  timeline(request: Timeline): void;
  sync(request: Drawn): MissingPanels;
  panel(request: Panel): void;
  pulse(request: Pulse): void;
  sparks(request: Sparks): void;
  drawer(request: Table): void;
  compare(request: Compared): void;
  days(request: Days): void;
  sticky(request: Sticky): void;
  top(request: None): void;
  focus(request: Target): void;
  focusSoon(request: Target): void;
  reveal(request: Target): void;
  refused(request: Refusals): void;
  recent(request: Recent): void;
  missing(request: MissingSources): void;
  picture(request: Picture): Promise<Drawable>;
}

/** Events of the user on a canvas: package canvas, Events. */
export interface Events {
  zoom: Zoom;
  unzoom: Unzoom;
  zoomby: ZoomBy;
  pan: Pan;
  cursor: Cursor;
  pin: Pin;
  activate: Activate;
  see: NearPanels;
  scroll: Scroll;
  room: VisibleHits;
  further: MoreHits;
  view: View;
  column: ShowColumn;
  row: Row;
  pick: Pick;
  hour: Hour;
}

/** Sends an event to Go. */
export type Tell = <K extends keyof Events>(kind: K, event: Events[K]) => void;
