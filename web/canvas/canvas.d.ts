// What crosses between Go and the scripts of its page: see package canvas, which
// a test holds against this. Times are seconds after the origin of the axis.

/** What has no fields. */
export interface None {}

/** A stretch of time. */
export interface Span {
  start: number;
  end: number;
}

/** The window and all that lies on the time axis. */
export interface Timeline {
  /** Seconds since 1970. */
  origin: number;
  /** Of the window. */
  start: number;
  end: number;
  /** Of the source. */
  from: number;
  to: number;
  gaps: Gap[];
  problems: Problem[];
  findings: FindingSpan[];
  notes: Note[];
  /** Windows A and B, while they are compared; only A where B is another source's. */
  compared: Span[];
  /** In order, the first for all that is before it. */
  zone: Offset[];
}

/** A stretch, or a moment, that no line crosses. */
export interface Gap {
  start: number;
  end: number;
  label: string;
  /** There was something. */
  lost: boolean;
}

/** A pin with the number that it has in the list of problems. */
export interface Problem {
  at: number;
  n: number;
}

/** Where a finding was made. */
export interface FindingSpan {
  start: number;
  end: number;
  /** "know", "look", "broken" */
  level: string;
}

/** One of the user's. */
export interface Note {
  at: number;
  n: number;
  text: string;
}

/** The host's distance from Greenwich from a time on. */
export interface Offset {
  from: number;
  /** Seconds. */
  east: number;
}

/** Drawn tells what the page shows now that Go has drawn it. */
export interface Drawn {
  panels: PanelRev[];
  cursor: number | null;
  /** Changes when something else than the charts moved it. */
  cursorRev: number;
  pinned: boolean;
  tree: TreeRows | null;
}

/** The state of a panel. */
export interface PanelRev {
  id: number;
  rev: number;
}

/** TreeRows says which rows of the tree are on the page. */
export interface TreeRows {
  first: number;
  /** There are. */
  count: number;
}

/** Wanted lists the panels whose data are not there. */
export interface Wanted {
  panels: number[];
}

/** One chart or table with its data. */
export interface Panel {
  id: number;
  rev: number;
  title: string;
  unit: string;
  decimals: number;
  /** As api.DashboardPanel.Style; "" is a line, "rows" a table of times, "table" one of instances. */
  style: string;
  stack: boolean;
  /** Some lines are drawn downwards. */
  mirror: boolean;
  log: boolean;
  /** Each line by its own largest value. */
  share: boolean;
  /** Upper end of the scale; 0 for that of the values. */
  max: number;
  fixed: Ends | null;
  levels: Level[];
  /** Up to when there is all; null where nothing is missing. */
  readTo: number | null;
  /** Why there is no value, by the numbers of Line.why. */
  words: string[];
  /** The values are those about one moment. */
  near: boolean;
  /** What the values stand for: "mean" and so on of all that a step saw; "" where each tells all there is. */
  reduced: string;
  /** How high all areas of a stack reach together; empty where the lines say it. */
  total: Float64Array;
  times: Float64Array;
  lines: Line[];
  /** Not drawn, but read in the legend. */
  quiet: Line[];
  /** Names of the lines, where each has a row. */
  rows: string[];
  /** Of style "state": what the values are indices into. */
  states: string[];
  /** Of style "heatmap" */
  peak: number;
}

/** Ends of a scale that the user fixed. */
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
  /** What people call the instance. */
  called: string;
  metric: string;
  /** Heads its column in a table of instances. */
  column: string;
  colour: number;
  stepped: boolean;
  below: boolean;
  bold: boolean;
  right: boolean;
  hatched: boolean;
  decimals: number;
  unit: string;
  /** Makes Values those of Unit. */
  factor: number;
  /** NaN where there is none. */
  values: Float64Array;
  /** Smallest and largest that each step saw; empty where every value tells all there is. */
  low: Float64Array;
  high: Float64Array;
  /** The last in the window, in the unit of unit; NaN for none. */
  last: number;
  /** Reasons for that; empty where none is known. */
  why: Uint8Array;
  texts?: (string | null)[];
  dots: Dots | null;
  /** Of style "event" */
  marks: Marks | null;
}

/** Dots are observations, over a line; their values are in its unit. */
export interface Dots {
  times: Float64Array;
  values: Float64Array;
}

/** Marks are events, in order of time. */
export interface Marks {
  at: Float64Array;
  flags: string[];
  texts: string[];
}

/** The envelope of one series over the whole span. */
export interface Pulse {
  times: Float64Array;
  values: Float64Array;
  /** The largest that each step saw; empty where every value tells all there is. */
  high: Float64Array;
  /** Null when all has been read. */
  readTo: number | null;
}

/** Sparks are all small charts. */
export interface Sparks {
  lines: Spark[];
}

/** One of them, for elements with data-spark of its name. */
export interface Spark {
  name: string;
  values: Float64Array;
}

/** What the drawer shows. */
export interface Table {
  page: string;
  title: string;
  note: string;
  /** Of files. */
  name: string;
  empty: string;
  rows: number;
  /** The first row of these columns: long tables come in parts. */
  from: number;
  /** Another part is to come. */
  more: boolean;
  /** That bars are part of; 0: their largest. */
  full: number;
  /** A column; -1 for none. */
  sort: number;
  down: boolean;
  filter: string;
  /** Sort, filter and columns are others than before. */
  chosen: boolean;
  /** The action that asks for files. */
  opens: string;
  columns: Column[];
  /** Classes of rows. */
  marks?: string[];
}

/** A Column of a Table: what table.js shows of it. */
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
  /** In files. */
  as: string;
  texts?: string[];
  /** Words with blanks between, for each row. */
  tags?: string[];
  numbers?: Float64Array;
  /** A second line. */
  under: Column | null;
}

/** Compared lists what changed between two windows, and the change that was picked. The lists have an entry for each change. */
export interface Compared {
  order: string;
  rows: number;
  /** The one that was picked. */
  at: number;
  fault: string;
  what: string[];
  metric: string[];
  unit: string[];
  /** Moved with it. */
  with: string[];
  brief: string[];
  ratio: string[];
  medianA: string[];
  medianB: string[];
  shift: string[];
  effect: Float64Array;
  /** What sorts the texts of the same name. */
  keyA: Float64Array;
  keyB: Float64Array;
  keyShift: Float64Array;
  keyRatio: Float64Array;
  /** Small charts. */
  a: Float64Array[];
  b: Float64Array[];
  windowA: Span;
  windowB: Span;
  /** Of the one that was picked. */
  unitOf: string;
  factor: number;
  decimals: number;
  middleA: number;
  middleB: number;
}

/**
 * A measure by days and hours. What is of each hour stands day by day, 24 for each; what is usual stands for each hour of
 * the week, Sunday first.
 */
export interface Days {
  name: string;
  unit: string;
  /** Makes values those of unit. */
  factor: number;
  decimals: number;
  /** Cells are coloured by maximum. */
  highest: boolean;
  /** A day; -1 for none. */
  picked: number;
  /** Of the days. */
  starts: Float64Array;
  /** "28 Feb" */
  labels: string[];
  /** "Tue 28 Feb" */
  names: string[];
  weekdays: Float64Array;
  /** NaN where nothing was observed. */
  average: Float64Array;
  minimum: Float64Array;
  maximum: Float64Array;
  /** Part of the hour. */
  covered: Float64Array;
  median: Float64Array;
  p10: Float64Array;
  p90: Float64Array;
  /** Times, on the axis of the page. */
  boots: Float64Array;
  /** Days. */
  unusual: Float64Array;
}

/** Sticky says whether the cursor stays. */
export interface Sticky {
  on: boolean;
}

/** Names an element. */
export interface Target {
  name: string;
}

/** Refusals are files that could not be used. */
export interface Refusals {
  list: Refusal[];
}

/** One of them, or several for one reason. */
export interface Refusal {
  names: string;
  said: string;
  /** All names, where they are many. */
  all: string;
}

/** A source that was opened. */
export interface Recent {
  fingerprint: string;
  kind: string;
  name: string;
  host: string;
  span: string;
  bytes: number;
  files: string[];
}

/** Wishes are what a link or a session asks for. */
export interface Wishes {
  list: Wish[];
}

/** One source. */
export interface Wish {
  title: string;
  text: string;
}

/** A Picture of a panel: what stands around it. */
export interface Picture {
  panel: number;
  /** "svg" or "png" */
  kind: string;
  title: string;
  unit: string;
  about: string;
  /** Of the legend. */
  head: string[];
  rows: PictureRow[];
}

/** One line of the legend. */
export interface PictureRow {
  colour: number;
  cells: string[];
}

/** A picture that was made. */
export interface Drawable {
  file: Blob;
}

/** What the components ask of an event on the page. */
export interface DOMEvent {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  target: EventTarget;
}

/** The element that it happened to: a field has both. */
export interface EventTarget {
  value: string | null;
  selectionStart: number | null;
}

/** Makes the window so many times as long, around a time. */
export interface ZoomBy {
  factor: number;
  at: number;
}

/** Moves the window by a share of its length. */
export interface Pan {
  share: number;
}

/** Where the pointer is; null: nowhere. */
export interface Cursor {
  at: number | null;
}

/** Keeps the cursor where it is; null: it follows the pointer again. */
export interface Pin {
  at: number | null;
}

/** Makes a panel the one that new metrics go to. */
export interface Activate {
  panel: number;
}

/** Tells which panels are on the screen or near it. */
export interface See {
  panels: number[];
}

/** Tells which lines of the tree can be seen. */
export interface Scroll {
  first: number;
  rows: number;
}

/** Tells how many lines of the search's list can be seen. */
export interface Room {
  rows: number;
}

/** What the user chose of the drawer's table. */
export interface View {
  page: string;
  /** Name of a column; "" for none. */
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

/** Acts on a row of the drawer's table. */
export interface Row {
  row: number;
}

/** An hour of a day was clicked; of hour -1 the day. */
export interface Hour {
  day: number;
  hour: number;
}

/** Chooses one of the changes between two windows. */
export interface Pick {
  row: number;
}

/** Chooses the window. */
export interface Zoom {
  start: number;
  end: number;
}

/** Goes back to the window before. */
export interface Unzoom {}

/** Asks for more lines of the search's list. */
export interface Further {}

/** What the scripts do for Go: package canvas, Calls. */
export interface Calls {
  timeline(request: Timeline): void;
  sync(request: Drawn): Wanted;
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
  wants(request: Wishes): void;
  picture(request: Picture): Promise<Drawable>;
}

/** What the scripts tell of what the user did on a canvas: package canvas, Events. */
export interface Events {
  zoom: Zoom;
  unzoom: Unzoom;
  zoomby: ZoomBy;
  pan: Pan;
  cursor: Cursor;
  pin: Pin;
  activate: Activate;
  see: See;
  scroll: Scroll;
  room: Room;
  further: Further;
  view: View;
  column: ShowColumn;
  row: Row;
  pick: Pick;
  hour: Hour;
}

/** Tells Go of one of them. */
export type Tell = <K extends keyof Events>(kind: K, event: Events[K]) => void;
