// The JavaScript API of pcpscope.
//
//   import { start } from "./pcpscope.js";
//   const pcp = await start();
//   const { sources: [web01] } = await pcp.open(input.files);
//   const frame = await pcp.fetch({ source: web01.id, metrics: ["kernel.all.load"], interval: "10sec" });
//
// apiVersion is raised when something here breaks; additions do not raise it.

/** Starts an engine in a worker. Rejects where the program cannot be loaded or compiled. */
export function start(options?: StartOptions): Promise<Pcpscope>;

export interface StartOptions {
  /** The folder of app.wasm and worker.js. The one of this module where absent. Same origin as the page. */
  base?: string | URL;
  /**
   * How many workers may run at once: the engine, and others that unpack compressed files beside it while there are any.
   * 1 leaves all to the engine. Absent: as many as the machine has cores, from 2 to 5.
   */
  workers?: number;
  /** The compiled program, where it is not to be fetched from base. */
  program?: WebAssembly.Module | Promise<WebAssembly.Module>;
  /** Starts the engine's worker (worker.js), where that is not a Worker from base. Called again when an engine was lost. */
  worker?: () => EngineWorker;
}

/** What is needed of a Worker. In Node it is a thread (pcpscope/node); where there are none, as in a SharedWorker, the engine runs where start was called. */
export interface EngineWorker {
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  postMessage(data: any, transfer?: any): void;
  terminate(): void;
}

/** The compiled program that start uses, compiled once for each base. For a page that runs its other half, or that wants to begin early. */
export function compile(base?: string | URL): Promise<WebAssembly.Module>;

/** Nanoseconds since the Unix epoch. As a length of time: nanoseconds. */
export type Nanos = bigint;

/** Names an open source. Never used twice by one Pcpscope. */
export type SourceID = number;

/** Every call that fails rejects with an Error whose fault says why: its kind is one of Fault's, its name "AbortError" when cancelled. */
export interface PcpscopeError extends Error {
  fault: Fault;
}

export interface Pcpscope {
  readonly apiVersion: 1;
  /** Of the build. */
  readonly version: string;
  /** Opens archives and MMV files, in any order and number, compressed or in tar or zip; what cannot be used is in rejected. Settles when labels and metadata are known; the values are read on. */
  open(files: Iterable<File | { name: string; data: Blob | ArrayBuffer | Uint8Array }>, o?: Progress): Promise<Opened>;
  /**
   * Opens what is on a server: files, the base name of an archive (".../web01" for web01.meta, web01.0 and so on),
   * or a folder ("/" at its end) that the server lists as JSON. Relative addresses start from the page's. Large plain
   * volumes are read by range requests, and only as far as questions need it: see Source.onDemand and Query.read.
   * What is not there is in rejected.
   */
  openURL(urls: Iterable<string | URL>, o?: FromServer): Promise<Opened>;
  /** All that is open, by whatever way. */
  sources(): Promise<Source[]>;
  /** Addition: settles when the whole source has been read; problems, gaps and the end of the span are final then. */
  loaded(source: SourceID, o?: Progress): Promise<Source>;
  /** Addition: stops the reading. Partial queries are answered with what has been read; any other question has the reading go on. */
  halt(source: SourceID): Promise<Source>;
  /** Addition: the files of a source and how far each has been read. Does not wait. */
  files(source: SourceID): Promise<SourceFile[]>;
  close(source: SourceID): Promise<void>;
  /** Sorted by name. With prefix: that metric, or those below that name. */
  metrics(source: SourceID, o?: { prefix?: string }): Promise<Metric[]>;
  /** Looks in names, help text, instances, labels and units. At most limit hits; 100 where absent. */
  search(source: SourceID, text: string, o?: { limit?: number }): Promise<Hit[]>;
  /** Every instance that the archive ever names. */
  instances(source: SourceID, indom: string): Promise<Instance[]>;
  fetch(q: Query, o?: Progress): Promise<Frame>;
  /** Defines a derived metric in the source: from then on it is a metric like the others. */
  derive(source: SourceID, name: string, expression: string): Promise<Metric>;
  /** What is wrong with an expression; [] means valid. */
  check(source: SourceID, expression: string): Promise<Fault[]>;
  /** Addition: whether an expression stays within a limit, at every observation; when not, and for how long. The same as checkRule. */
  check(query: CheckQuery, o?: Progress): Promise<Checked>;
  checkRule(query: CheckQuery, o?: Progress): Promise<Checked>;
  /** Addition: looks for all that pmlogcheck complains of, also where it did not disturb the reading. */
  inspect(source: SourceID, o?: Progress): Promise<Fault[]>;
  /** Addition: the derived metrics that a source knows: its own, and those built in whose operands are logged. */
  definitions(source: SourceID): Promise<Definition[]>;
  /** Addition: adds the definitions of a text in the syntax of PCP's configuration files; those of the same name are replaced. file names it in faults. */
  define(source: SourceID, text: string, file?: string): Promise<Defined>;
  /** Addition: takes a definition away; false where there is none of its own. */
  undefine(source: SourceID, name: string): Promise<boolean>;
  /** Addition: a source's own definitions as a configuration file. */
  config(source: SourceID): Promise<string>;
  /** Addition: what may stand at a place of an expression, which counts UTF-16 units. */
  complete(source: SourceID, text: string, at: number): Promise<Completion>;
  /** Addition: what an expression amounts to in a source, as a whole and part by part. */
  describe(source: SourceID, expression: string): Promise<Description>;
  /** Addition: takes another reading of an MMV file. Rejects with kind "truncated" while its program is rewriting it: read it again. */
  update(source: SourceID, file: File | { name: string; data: Blob | ArrayBuffer | Uint8Array }): Promise<Source>;
  /** Addition: whether each logged metric moves, in order of names. Waits until the source has been read. */
  activity(source: SourceID, o?: Progress): Promise<Activity[]>;
  /** Addition: metrics or expressions over the whole source in so many points each (2 to 1000), counters as rates. Names without numbers are left out. */
  sparklines(source: SourceID, names: Iterable<string>, points: number, o?: Progress): Promise<Sparkline[]>;
  /** As pmlogsummary computes it, plus percentiles. */
  summary(q: SummaryQuery, o?: Progress): Promise<Summary[]>;
  /** Addition: what to say first about a source: the host, the worst case of each resource, what happened. Waits until all of it has been read. */
  overview(source: SourceID, o?: Progress): Promise<Overview>;
  /** Addition: the findings of overview alone. */
  findings(source: SourceID, o?: Progress): Promise<Finding[]>;
  /** Addition: the thresholds that overview and findings rest on. */
  rules(source: SourceID): Promise<Rule[]>;
  /** Addition: changes one of them for this source; without a value the usual one holds again. */
  setRule(source: SourceID, name: string, value?: number): Promise<Rule[]>;
  /** Addition: all dashboards, those too that the source has nothing for. Does not wait; headlines and sparklines are there once the source has been read. */
  dashboards(source: SourceID, o?: Progress): Promise<DashboardInfo[]>;
  /** Addition: one of them, as far as the source can show it. */
  dashboard(source: SourceID, id: string): Promise<Dashboard>;
  /** Addition: makes dashboards of the text of a pmchart view or a pmrep configuration. name is the file's. */
  importDashboards(source: SourceID, name: string, text: string): Promise<ImportedDashboards>;
  /** Addition: the processes at a moment with what they used since the sample before, or over a window. */
  processes(q: ProcessQuery, o?: Progress): Promise<ProcessTable>;
  /** Addition: who used a resource, sample by sample. */
  consumers(q: ConsumerQuery, o?: Progress): Promise<Consumers>;
  /** Addition: what changed from window A to window B. */
  compare(q: CompareQuery, o?: Progress): Promise<Comparison>;
  /** Addition: a measure by days and hours, of all observations, with the usual band of each hour of the week. Waits until the source has been read. */
  days(q: DaysQuery, o?: Progress): Promise<Days>;
  /** Addition: the days that were unlike others by the measures that tell most of a host, the most unusual first. Waits until the source has been read. */
  unusualDays(q: UnusualQuery, o?: Progress): Promise<UnusualDay[]>;
  /** Addition: what left its usual range in a window, since when, what moved with it and who used the resource. Waits until the source has been read. */
  explain(q: ExplainQuery, o?: Progress): Promise<Explanation>;
  /** Addition: writes a source, or what is wanted of it, as an archive that PCP's own tools read. Waits until the source has been read. Nothing is handed out before it is whole and, with redact, has been looked through. */
  save(q: SaveQuery, o?: Progress): Promise<Saved>;
  /** Addition: writes what was observed, as it was logged, as tables for DuckDB, ClickHouse, Spark, pandas and the like. Loads tables.wasm the first time; not in Node, nor on the page that is one file. */
  exportTables(q: ExportQuery, o?: Progress): Promise<Exported>;
  /** Addition: what save would replace, by kind. Give its key to save to get the pseudonyms that are shown. */
  redaction(q: SaveQuery, o?: Progress): Promise<Redaction>;
  /** Addition: replaces in texts, such as a report or a session file, what save would replace with q.redact and its key. */
  redactText(q: SaveQuery, texts: string[], o?: Progress): Promise<string[]>;
  /** Settles when nothing is running or waiting to be drawn. */
  idle(): Promise<void>;
  /** Addition: keeps idle from settling until the function that it returns is called. */
  hold(): () => void;
  /** Ends the engine. Calls under way, and all later ones, reject with kind "cancelled". */
  terminate(): void;
}

export interface Progress {
  /** Cancels for real: the engine stops working on the call. */
  signal?: AbortSignal;
  /** phase is in words for people; done and total are bytes. */
  onProgress?(p: { phase: string; done: number; total: number }): void;
}

export interface FromServer extends Progress {
  /** Addition: sent with each request, such as { Authorization: "Bearer ..." }. */
  headers?: Record<string, string>;
}

export interface Opened {
  sources: Source[];
  rejected: { name: string; fault: Fault }[];
  /** Addition: what tars and zips held that is no part of an archive; bytes are unpacked. */
  skipped?: { files: number; bytes: number };
  /** Addition: files that set up PCP's tools. */
  settings?: Setting[];
}

/** Addition: a file of settings. */
export interface Setting {
  name: string;
  kind: "derived" | "view" | "pmrep";
  text: string;
  /** What a file of derived metrics defined: in the sources opened with it or, where it came alone, in all that are open. */
  defined: Defined | null;
}

/** Addition: a derived metric that a source knows. */
export interface Definition {
  name: string;
  expression: string;
  oneline: string;
  help: string;
  builtIn: boolean;
  /** What it is in this source; null where it cannot be computed. */
  metric: Metric | null;
  /** Why it cannot be computed. */
  fault?: Fault;
}

/** Addition: what a text defined. The field of a fault is the line, its span the place in the expression there. */
export interface Defined {
  names: string[];
  faults: Fault[];
}

/** Addition: what may stand at a place of an expression. */
export interface Completion {
  /** What a candidate replaces, in UTF-16 units. */
  span: [start: number, end: number];
  /** Candidates in all, of which the best are listed. */
  total: number;
  candidates: Candidate[];
}

export interface Candidate {
  /** To insert: a function's comes with its parenthesis. */
  text: string;
  kind: "metric" | "derived" | "prefix" | "function" | "instance";
  /** To show: of a function, how it is called. */
  name: string;
  help: string;
  type: string;
  semantics: string;
  units: string;
}

/** Addition: what an expression amounts to. */
export interface Description {
  /** Of the result; its name is the expression. Null where there are faults. */
  metric: Metric | null;
  faults: Fault[];
  /** The smallest first. */
  parts: Part[];
}

/** Addition: a piece of an expression. */
export interface Part {
  /** In UTF-16 units. */
  span: [start: number, end: number];
  text: string;
  /** False: it is wrong, or a part of it. */
  right: boolean;
  type: string;
  units: string;
}

/** One archive, one set of archives of a host, or one MMV file. */
export interface Source {
  id: SourceID;
  kind: "archive" | "mmv";
  name: string;
  host: string;
  timezone: string;
  zoneinfo: string;
  pid: number;
  /** Archives: 2 or 3, the highest of a set. MMV: 1, 2 or 3. */
  version: number;
  start: Nanos;
  end: Nanos;
  /** How many. */
  metrics: number;
  /** Of the files as given. */
  bytes: number;
  members: string[];
  gaps: { start: Nanos; end: Nanos; why: "mark" | "between archives" | "missing volume" }[];
  /** Addition: how many gaps there are. Of very many, gaps lists a thousand: the longest stretches, and marks spread evenly. */
  gapCount: number;
  /** What was damaged and what that costs; the rest is open. */
  problems: Fault[];
  /** The same files give the same text. */
  fingerprint: string;
  /** Addition: a source on a server, read only as far as questions need it. Until loaded, or a query that is not partial, asks for all of it, partial ones are answered with a preview. */
  onDemand?: boolean;
  /** Addition: the share of the data that has been read, 0 to 1. Until it is 1, problems, gaps and end may still change. */
  loaded: number;
}

/** Addition: one file of a source, and how far it has been read. */
export interface SourceFile {
  /** As in Source.members. */
  name: string;
  /** Of the file as given. */
  bytes: number;
  /** Of these bytes, so far. */
  read: number;
  /** Bytes that came out of what was read, of a compressed file. */
  unpacked?: number;
  /** Of a data volume, so far, or entries of a temporal index. */
  records?: number;
  /** Stamps of the first and last record read of a data volume; when an MMV file was read. */
  first?: Nanos;
  last?: Nanos;
}

export interface Metric {
  name: string;
  /** "60.0.20" */
  pmid: string;
  type: "32" | "U32" | "64" | "U64" | "FLOAT" | "DOUBLE" | "STRING" | "AGGREGATE" | "EVENT" | "HIGHRES_EVENT" | "NOSUPPORT";
  semantics: "counter" | "instant" | "discrete";
  /** "60.1"; null for a singular metric. */
  indom: string | null;
  /** As pmUnitsStr writes them: "Kbyte / sec", "" for none. */
  units: string;
  oneline: string;
  help: string;
  /** Merged over the hierarchy, below the instance level. */
  labels: Record<string, unknown>;
  /** Of a derived metric. */
  expression?: string;
}

export interface Instance {
  id: number;
  name: string;
  /** Addition: what people call the instance, as in Column. */
  title?: string;
  first: Nanos;
  last: Nanos;
  labels?: Record<string, unknown>;
}

/** Asks for values. A field that is not listed here is refused, not ignored. */
export interface Query {
  source: SourceID;
  /** Names, or derived expressions. */
  metrics: string[];
  /** Names; all where absent, none where empty. */
  instances?: string[];
  /** interp (values at even times) where absent; raw gives the logged observations. */
  mode?: "interp" | "raw";
  /** Strings are in PCP's time syntax: "-5min", "@10:00", "10sec"; or of ISO 8601: "2017-02-27T03:40:42.5+01:00", "2017-02-27". */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  interval?: Nanos | string;
  /** For those strings: a name such as "Europe/Berlin", or what TZ may hold; the archive's where absent. */
  zone?: string;
  /** With start and interval, instead of end. */
  count?: number;
  /** rate: counters become rates, times become utilisation, as pmval shows them. none where absent. */
  convert?: "none" | "rate";
  /** At most so many points a series, the smallest and largest of each step kept. Without an interval reduce is "mean" where absent. */
  pixels?: number;
  /** Addition: answer at once with what has been read, and a preview of the rest. */
  partial?: boolean;
  /**
   * Addition: how much is read for the answer: "preview" (the same as partial), "window" for what the window needs, which gives
   * exact values of it, or "all". Where it is absent, all that the window touches.
   */
  read?: "preview" | "window" | "all";
  /** Addition: division by zero gives no value, where PCP gives infinity or 0. */
  gaps?: boolean;
  /**
   * Addition: what a point stands for where its step covers several observations. sample, the default, is the
   * value at its moment, as PCP's tools have it. The others are of all that happened after the point before up to
   * its own moment: mean over time, max, min, p95, or the last; low and high hold the extremes. Of a counter, which
   * needs convert "rate", these are of the rates between records, but for records that follow each other within
   * a hundredth of the usual interval. The last step may reach beyond end; it tells of what lies before.
   */
  reduce?: "sample" | "mean" | "max" | "min" | "p95" | "last";
  /**
   * With reduce: keeps the samples of a grid that is about as close as the observations, where a mean would lag behind; only steps in which samples miss an observation have other
   * extremes, and a value where there is no sample.
   */
  samples?: boolean;
  /** Addition: asks for Column.statistics over a stretch of time, {} for the whole query. */
  statistics?: Range;
}

/** Addition: a stretch of time in a question. An end that is absent is that of the query. */
export interface Range {
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
}

/** Columns on one time axis. */
export interface Frame {
  start: Nanos;
  /** Seconds after start; in raw mode the union of the columns' own times. */
  times: Float64Array;
  /** In the order asked for, instances by id. */
  columns: Column[];
  /** Seconds after start; no line is drawn across one. */
  marks: Float64Array;
  /** Addition: seconds from point to point; absent in raw mode. */
  step?: number;
  /** Addition: what the values of columns with low and high are: "mean", "max" and so on. */
  reduced?: string;
  /** Addition: a part of the window has not been read yet; a few records, or nothing, stand for it. */
  preview?: boolean;
  /** Addition: what the values rest on, as Query.read: a preview is some of the logged values, the others are exact. */
  read?: "preview" | "window" | "all";
  /** Addition: of a preview, up to when all of the window has been read. */
  readTo?: Nanos;
}

export interface Column {
  metric: string;
  /** null for a singular metric; without metadata, several values of one metric are told apart by number. */
  instance: { id: number; name: string } | null;
  units: string;
  type: string;
  semantics: string;
  /** NaN: no value. Strings for STRING metrics. */
  values: Float64Array | (string | null)[];
  /** 64-bit integers where one is beyond 2^53, asked for or not. */
  exact?: BigInt64Array | BigUint64Array;
  /** With pixels or reduce: the smallest and largest that the step saw. Absent where every point tells all there is. */
  low?: Float64Array;
  high?: Float64Array;
  /** Addition: of the observations, where the query asked for them and the series has any. */
  statistics?: Statistics;
  /** Addition: why each point has no value, absent when none is missing. The numbers are Why's. */
  why?: Uint8Array;
  /** Addition: error codes that were logged in place of values; at is an index into the frame's times. */
  codes?: { at: number; code: number; text: string }[];
  /** Addition: in raw mode, of a metric of type EVENT or HIGHRES_EVENT: its event records. values has their bytes in hex. */
  events?: EventRecord[];
  /** Addition: what people call the instance, where the source says that: of a cgroup its pod and container. */
  title?: string;
  /** Addition: of a derived metric, the operand that was missing. */
  operand?: string;
  /** This column has nothing, and why. */
  fault?: Fault;
}

/** Addition: something that happened, by its own clock. */
export interface EventRecord {
  /** Index into the frame's times: the value that held it. */
  at: number;
  /** When it happened; values may hold records of long before. */
  time: Nanos;
  /** As pmEventFlagsStr(3): "point", "start,id,parent", "missed". */
  flags: string;
  /** How many records were lost here. */
  missed?: number;
  /** Metrics by name, or by PMID where the source has no name for one. Numbers as they are written, other bytes in hex. */
  params: { metric: string; value: string }[];
}

/**
 * Addition: the numbers in Column.why.
 * 0 has a value, 1 before the first observation, 2 after the last observation, 3 across a mark,
 * 4 the instance is absent, 5 the counter went backwards, 6 an error was logged, 7 not in this archive,
 * 8 no previous sample, 9 the value cannot be converted, 10 an operand has no value, 11 division by zero,
 * 12 not read yet, 13 the volume is missing, 14 the data are damaged,
 * 15 not logged at this time, 16 the expression leaves it out.
 */
export type Why = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16;

/** Addition: one series in a window, of a counter its rates: the figures that Summary has with measured. */
export interface Statistics {
  count: number;
  /** Over time. */
  average: number;
  median: number;
  p95: number;
  p99: number;
  minimum: number;
  minimumAt: Nanos;
  maximum: number;
  maximumAt: Nanos;
  /** The last in the window. */
  last: number;
  lastAt: Nanos;
  /** Part of the window that the series spans, 0 to 1. */
  covered: number;
}

/** Exactly one of above, below and always is given. */
export interface CheckQuery {
  source: SourceID;
  /** A metric, or a derived expression. */
  expression: string;
  /** Names; all where absent. */
  instances?: string[];
  /** Bad is what is above it, or below it. In the units of the answer: utilisations are shares, 0.9 for 90 %. */
  above?: number;
  below?: number;
  /** The expression is a condition, such as "mem.freemem > 100000": bad is where it does not hold. */
  always?: boolean;
  /** A length of time ("1min"): shorter runs do not count. */
  for?: Nanos | string;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  /** "rate" where absent, as of Query. */
  convert?: "none" | "rate";
  /** As of Query; "window" where absent. */
  read?: "preview" | "window" | "all";
}

export interface Checked {
  /** There are values, and no run that counts. */
  ok: boolean;
  /** Those that are at least as long as "for", in order of their starts. */
  runs: CheckRun[];
  observations: number;
  units: string;
  /** What was found, for a log. Its moment is of ISO 8601, in the query's zone, or the archive's. */
  sentence: string;
}

/** A stretch of time in which every observation was bad. A value counts until the next one; a rate, for the time since the one before. */
export interface CheckRun {
  instance: { id: number; name: string } | null;
  start: Nanos;
  end: Nanos;
  seconds: number;
  worst: number;
  worstAt: Nanos;
}

/** All numeric metrics where metrics is absent. */
export interface SummaryQuery {
  source: SourceID;
  metrics?: string[];
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  bins?: number;
  /**
   * Addition: leave rates out of extremes, percentiles and bins that are of less than a hundredth of the usual
   * interval between records. A clock of 10 ms that ticks in 1 ms is no measurement; pmlogsummary counts it.
   */
  measured?: boolean;
}

/** One numeric series; rates and units as pmlogsummary reports them. */
export interface Summary {
  metric: string;
  instance: { id: number; name: string } | null;
  /** Addition: what people call the instance, as in Column. */
  title?: string;
  units: string;
  semantics: string;
  timeAverage: number;
  stochasticAverage: number;
  sum: number;
  count: number;
  minimum: number;
  minimumAt: Nanos;
  maximum: number;
  maximumAt: Nanos;
  median: number;
  p95: number;
  p99: number;
  stddev: number;
  /** Part of the window that the series spans, 0 to 1. */
  covered: number;
  bins?: { upTo: number; count: number }[];
}

/** Addition: asks for one measure by days and hours. */
export interface DaysQuery {
  source: SourceID;
  /** A name or an expression; counters as rates. */
  metric: string;
  /** One of several, by name. */
  instance?: string;
  /** What several instances are put together to, where none is named. Absent: the sum of what adds up (counters, counts, sizes), the average of what does not. */
  aggregate?: "sum" | "avg" | "max" | "min";
  /** The days that the window touches are answered for as a whole. */
  start?: Nanos | string; end?: Nanos | string;
  zone?: string;
}

/**
 * Addition: a measure by days and hours, of all observations: what fetch has with reduce for an interval of an hour.
 * Values of hours stand day by day, 24 for each. An hour that the clock went through twice holds both; one that it left out is NaN throughout.
 */
export interface Days {
  metric: string;
  instance: { id: number; name: string } | null;
  /** "" where there was nothing to put together. */
  aggregate: string;
  units: string;
  days: Day[];
  /** Over time; NaN where nothing was observed. */
  average: Float64Array;
  minimum: Float64Array;
  maximum: Float64Array;
  /** Observations; of counters the rates between them that ended in the hour. */
  count: Float64Array;
  /** Part of the hour that average is of, 0 to 1. */
  covered: Float64Array;
  /** The usual band: of the averages of each hour of the week, Sunday 00:00 first, 168 of them. NaN where fewer than three weeks have that hour. */
  median: Float64Array;
  p10: Float64Array;
  p90: Float64Array;
  /** How many averages that is of. */
  weeks: Float64Array;
  outages: Outage[];
  boots: Nanos[];
  /** By this measure alone, the most unusual first. */
  unusual: UnusualDay[];
  /** Days with any observation. */
  observed: number;
}

/** Addition: one day of a calendar in a zone. */
export interface Day {
  /** "2018-02-27" */
  date: string;
  /** 0 for Sunday. */
  weekday: number;
  start: Nanos;
  /** When the next one begins. */
  end: Nanos;
}

/** Addition: asks what was unlike usual in a window. */
export interface ExplainQuery {
  source: SourceID;
  start?: Nanos | string; end?: Nanos | string;
  zone?: string;
  /** Of the small charts, at most; 120 where absent. */
  points?: number;
}

/** Addition: what left its usual range in a window, compared with other stretches of the same source. It tells what happened together, and not why. */
export interface Explanation {
  /** The window. */
  start: Nanos;
  end: Nanos;
  /** Other stretches that the window is compared with, and how many seconds each lasts. */
  stretches: number;
  length: number;
  /** The small charts have a value here and every step seconds from here on: the mean of the step that ends there. */
  from: Nanos;
  step: number;
  /** One a subject, what is furthest out first. */
  rows: Explained[];
  /** Of the resources that the rows speak of. */
  who: Using[];
  /** Commands that used CPU time in the window and none before it, for as long as the window lasts; those that used most first. */
  began: Began[];
  /** The same in sentences. */
  text: string[];
  /** Nothing can be told; "" where it can. */
  why: string;
}

/** Addition: a subject that was unlike usual, told by the series that says it best. */
export interface Explained {
  family: "cpu" | "memory" | "disk" | "network" | "filesystem" | "processes" | "cgroup" | "collector" | "other";
  /** "Disk sdb" */
  subject: string;
  metric: string;
  instance: { id: number; name: string } | null;
  /** What people call the instance, as Column.title. */
  title?: string;
  /** What people call the metric; "" for none. */
  name: string;
  /** Of the values, where units say nothing. */
  unit: string;
  /** Counters as rates. */
  units: string;
  /** Mean in the window. */
  was: number;
  /** Median of the means of the other stretches; 5 % of these are below low, 5 % above high. */
  usual: number;
  low: number;
  high: number;
  /** How far outside of low to high, in differences that matter; negative below. */
  beyond: number;
  score: number;
  /** When it left its range; null where that cannot be told. */
  since: Nanos | null;
  values: number[];
  /** Other series of the subject, "metric[instance]". */
  with: string[];
  /** What moves with it, the closest first. */
  moves: Moving[];
  text: string;
}

/** Addition: a series, or the CPU time of a command, that moves with another. */
export interface Moving {
  /** "metric[instance]"; "" for a command. */
  series: string;
  /** "" for a series. */
  command: string;
  /** Spearman's rank correlation. */
  rho: number;
  /** Seconds by which it follows; negative where it comes first. */
  lag: number;
}

/** Addition: who used a resource in a window. */
export interface Using {
  /** As ConsumerQuery.what; of memory by how much it grew. */
  resource: "cpu" | "read" | "write" | "memory" | "uninterruptible";
  units: string;
  /** As Consumers.unreadable. */
  unreadable?: string;
  /** The largest first. */
  commands: Share[];
  /** Share of the total that no command here explains. */
  rest: number;
}

/** Addition: what one command used of a resource. */
export interface Share {
  command: string;
  mean: number;
  /** 0 to 1 */
  share: number;
}

/** Addition: a command that was new in a window. */
export interface Began {
  command: string;
  /** The first sample in which it had used CPU time. */
  at: Nanos;
  /** Mean over the window, in percent of one CPU. */
  cpu: number;
}

/** Addition: asks which days were unlike others. */
export interface UnusualQuery {
  source: SourceID;
  start?: Nanos | string; end?: Nanos | string;
  zone?: string;
}

/** Addition: a day that was unlike others, and by what. */
export interface UnusualDay {
  date: string;
  start: Nanos;
  end: Nanos;
  /** Adds up, hour by hour, how far beyond the usual band, on a log scale. */
  score: number;
  /** What weighs most first. */
  reasons: UnusualReason[];
  text: string;
}

/** Addition: a measure that was out of its usual band for hours of a day. */
export interface UnusualReason {
  /** "CPU busy" */
  name: string;
  expression: string;
  units: string;
  /** The stretch of hours that was furthest out. */
  start: Nanos;
  end: Nanos;
  /** Of the day that were out of the band, in all. */
  hours: number;
  /** As of the day, for this measure. */
  score: number;
  /** Mean of the stretch. */
  value: number;
  /** The band there: 10 to 90 % of the hourly averages of other days. */
  low: number;
  high: number;
  /** These: "other Tuesdays", "other working days", "other weekend days" or "other days". */
  against: string;
  text: string;
}

/** Addition: how a metric behaved over the whole source, and what room it takes. */
export interface Activity {
  metric: string;
  /** empty: never a value; constant: each instance had one value throughout. */
  state: "empty" | "constant" | "moving";
  /** That have the metric. */
  records: number;
  /** Of all instances in all records. */
  values: number;
  /** That these take in the data volumes, before compression: as pmlogsize -d says. */
  bytes: number;
}

/** Addition: a metric in a few points; of several instances the one that reaches highest. */
export interface Sparkline {
  metric: string;
  instance: { id: number; name: string } | null;
  units: string;
  /** NaN: no value. Means over time where a point stands for several observations. */
  values: Float64Array;
  /** Addition: the smallest and largest that each point stands for; absent where it is one. */
  low?: Float64Array;
  high?: Float64Array;
}

export interface Hit {
  metric: string;
  instance?: { id: number; name: string };
  /** Addition: what people call the instance, as in Column. */
  title?: string;
  where: "name" | "help" | "instance" | "label" | "units";
  excerpt: string;
}

export interface Fault {
  kind: "truncated" | "corrupt" | "unsupported" | "expression" | "unknown-metric" | "unknown-instance" | "argument" | "cancelled" | "memory" | "internal";
  /** One sentence that a user understands. */
  message: string;
  /** Addition: what was done instead of giving up. */
  done?: string;
  file?: string;
  /** Addition: what was being read, in the words of LOGARCHIVE(5) or mmv(5). */
  field?: string;
  /** In bytes. */
  offset?: number;
  /** In an expression, in UTF-16 units. */
  span?: [start: number, end: number];
  /** Addition: the stretch of time for which values are missing. */
  lost?: { start: Nanos; end: Nanos };
  /** Addition: the stretch of time that a problem without loss speaks of. */
  when?: { start: Nanos; end: Nanos };
  /** Addition: in an expression, a change that would mend it. */
  fix?: Fix;
}

/** Addition: what was probably meant in an expression. */
export interface Fix {
  /** What to replace, in UTF-16 units. */
  span: [start: number, end: number];
  text: string;
  /** What text is, such as its units; "" where it says enough. */
  what: string;
}

/** Addition: one entry in the list of dashboards. */
export interface DashboardInfo {
  id: string;
  title: string;
  /** A heading; "" for those that come first. */
  group: string;
  what: string;
  available: boolean;
  /** Of one that is not available: "not logged", "no values". */
  whyNot?: string;
  /** How many it can show. */
  panels: number;
  /** What to show beside the title, such as "14.5 %", and Sparkline the same over the span: when the source has been read. */
  headline?: string;
  /** The expression behind them. */
  spark?: string;
  sparkline?: Float64Array;
  /** "look" or "broken": of the worst finding that belongs here. */
  level?: "look" | "broken";
}

/** Addition: a page of panels, as far as the source can show them. */
export interface Dashboard {
  id: string;
  title: string;
  group: string;
  what: string;
  panels: DashboardPanel[];
  missing: MissingPart[];
}

/** Addition: one chart or table. Expressions go into fetch as they are. */
export interface DashboardPanel {
  id: string;
  title: string;
  /** "% of all CPUs"; "" where the columns' own units hold. */
  unit: string;
  style: "line" | "stack" | "utilisation" | "mirror" | "bar" | "heatmap" | "state" | "topn" | "event" | "table" | "rows";
  what: string;
  usual: string;
  next: string;
  series: DashboardSeries[];
  thresholds: Threshold[];
  /** Fixed upper end of the scale. */
  max?: number;
  /** Of style "topn": how many to draw. */
  top?: number;
  /** Of instances that contain others, as cgroups do, only the innermost are meant. */
  leaves?: boolean;
  log?: boolean;
  decimals?: number;
  /** Command lines of PCP's tools that print the same numbers. */
  commands: string[];
}

/** Addition: one line of a panel, or one for each instance. */
export interface DashboardSeries {
  /** "" where the instances' names say it all. */
  name: string;
  expression: string;
  /** "user", "sys", "read", "in" and so on; "" for the next colour. */
  role: string;
  /** Of the result, as pmUnitsStr. */
  units: string;
  unit?: string;
  /** The same for all instances, where expression leaves some out: loopback, virtual interfaces, RAM disks. */
  all?: string;
  indom: string | null;
  /** Drawn downwards. */
  below?: boolean;
  /** Drawn stronger. */
  bold?: boolean;
  /** On a scale of its own. */
  right?: boolean;
  /** Not drawn at first. */
  hidden?: boolean;
}

/** Addition: a level worth a line in a chart. */
export interface Threshold {
  value: number;
  /** In place of value. */
  expression?: string;
  label: string;
  /** What lies below it deserves the look. */
  under?: boolean;
  /** The rule whose value this is: see rules. */
  rule?: string;
}

/** Addition: a panel or series that the source cannot show. */
export interface MissingPart {
  panel: string;
  /** "" for the whole panel. */
  series: string;
  /** Metrics. */
  needs: string[];
}

/** Addition: what could be made of a file of another tool. */
export interface ImportedDashboards {
  dashboards: Dashboard[];
  /** What could not be imported. */
  left: LeftOut[];
}

/** Addition: says what an import had to leave out, and why. */
export interface LeftOut {
  /** Counted from 1. */
  line: number;
  /** Of that line. */
  text: string;
  why: string;
}

/** Addition: what to say first about a source. */
export interface Overview {
  /** Host, system, hardware, as far as logged. */
  who: Fact[];
  /** When the host started, in order; empty where that is not known. */
  boots: Nanos[];
  /** How much of the time is recorded at all. */
  recording: Recording;
  /** What became of the host in it, in order of time. */
  history: Event[];
  /** Groups of metrics by how often they were logged, most first. */
  coverage: Coverage[];
  /** Worst case by resource. */
  tiles: Tile[];
  /** What is broken first, then what deserves a look, then what is good to know; of these first what cost most. */
  findings: Finding[];
  pulse: Pulse;
}

/** Addition: one thing known about the host. */
export interface Fact {
  /** "kernel". */
  name: string;
  /** "4.13.9-300.fc27.x86_64". */
  value: string;
  metric: string;
}

/** Addition: describes metrics that were logged together. */
export interface Coverage {
  /** Seconds from one record to the next, as a rule; 0 for once, or once after each start of a logger. */
  interval: number;
  /** How many. */
  metrics: number;
  examples: string[];
  samples: number;
  /** Records that the interval would have had besides, not over marks and gaps. */
  missed: number;
  /** Seconds of the longest stretch between two records. */
  longest: number;
  /** When that began. */
  at: Nanos;
  /** Seconds from one record to the next on average, not over marks and gaps. */
  mean: number;
  /** Seconds by which 95 of 100 records are off the interval at most, but for those after missed ones. */
  jitter: number;
  /** That its values take in the data volumes, before compression. */
  bytes: number;
  first: Nanos;
  last: Nanos;
}

/** Addition: the worst case of one resource. */
export interface Tile {
  /** "CPU", "Memory", "Disks", "Filesystems", "Network", "Pressure", "Cgroups", "Kernel tables". */
  resource: string;
  dashboard: string;
  utilisation: TileCell;
  saturation: TileCell;
  errors: TileCell;
}

/** Addition: one judgement with its worst value. */
export interface TileCell {
  /** "sdb 100 %". */
  text: string;
  state: "ok" | "look" | "broken" | "cannot judge" | "not logged";
  /** The worst value. */
  value?: number;
  unit?: string;
  /** Where it was. */
  when?: { start: Nanos; end: Nanos };
  /** What is missing to judge, or what the judgement rests on. */
  why?: string;
}

/** Addition: something that happened, in one sentence. */
export interface Finding {
  level: "broken" | "look" | "know";
  resource: string;
  text: string;
  start: Nanos;
  end: Nanos;
  /** What made it: "disk busy above 85 % with more than 4 requests in flight, for 2 min". */
  rule: string;
  /** To look at. */
  metrics: string[];
  /** Where they are. */
  dashboard: string;
  /** How often it happened: of one kind and object there is one finding. */
  times: number;
  /** Seconds in all; absent for what has no length. */
  lasted?: number;
  /** Of several times the one that cost most; text is about it. */
  worst?: { start: Nanos; end: Nanos };
  /** Of several times each, in order. */
  spans?: { start: Nanos; end: Nanos }[];
  /** Orders findings of one level: how long, in seconds, times how far beyond its limit, on a log scale. */
  cost: number;
}

/** Addition: how much of a source's time was recorded. */
export interface Recording {
  /** Seconds from start to end. */
  length: number;
  /** Seconds of the outages. */
  missing: number;
  /** Stretches of 5 min and more without a record, in order of time. */
  outages: Outage[];
  /** Shorter ones: where a logger was started again, or recording was interrupted. */
  pauses: number;
  /** Seconds of these. */
  paused: number;
}

/** Addition: a stretch for which nothing was recorded, or its data are missing. */
export interface Outage {
  start: Nanos;
  end: Nanos;
  why: "between archives" | "missing volume" | "damage" | "mark" | "no records";
  /** That are missing or damaged. */
  files?: string[];
}

/** Addition: something that became of the host. */
export interface Event {
  at: Nanos;
  kind: "boot" | "outage" | "clock" | "hardware" | "kernel" | "packages" | "limits";
  text: string;
  /** Where it is told; "" of an outage, which lasts until until. */
  metric: string;
  until?: Nanos;
}

/** Addition: the one series that stands for the whole source. */
export interface Pulse {
  /** "CPU busy". */
  name: string;
  /** "" where the source has nothing of the kind. */
  expression: string;
  unit: string;
}

/** Addition: one threshold that findings and the states of tiles rest on. */
export interface Rule {
  /** "diskBusy". */
  name: string;
  /** What it is the limit of. */
  text: string;
  /** As it holds for this source. */
  value: number;
  /** As it holds unless it is set. */
  usual: number;
  /** "%", "s" and so on. */
  unit: string;
  /** Where the usual value is from. */
  from: string;
}

/** Addition: asks for the processes at a moment, or over a window. */
export interface ProcessQuery {
  source: SourceID;
  /** The end of the source where absent. */
  at?: Nanos | string | Date;
  /** With end: sums of that window in place of at. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/** Addition: lists processes, the busiest first. */
export interface ProcessTable {
  /** Rates are over the time from start to end. */
  start: Nanos;
  /** A sample. */
  end: Nanos;
  processes: Process[];
  /** Of these began in this time. */
  started: number;
  /** Were there at the start, and not at the end. */
  ended: number;
  /** Of Process: those that the source has metrics for. */
  columns: string[];
  /** CPU time in percent of one CPU: of the whole machine; of the listed processes; and the difference, used by processes that no sample saw because they began and ended between two. Null where not logged. */
  machine: number | null;
  listed: number | null;
  inNoSample: number | null;
  cpus: number;
}

/** Addition: one row. Null where there is no value. */
export interface Process {
  instance: number;
  pid: number;
  command: string;
  /** With arguments; "" for a thread of the kernel. */
  path: string;
  user: string;
  /** In words: "sleeping". */
  state: string;
  /** Percent of one CPU. */
  cpu: number | null;
  userCPU: number | null;
  sysCPU: number | null;
  /** Bytes. */
  resident: number | null;
  /** Bytes a second. */
  read: number | null;
  /** Bytes a second. */
  write: number | null;
  /** Faults a second. */
  minor: number | null;
  /** Faults a second. */
  major: number | null;
  threads: number | null;
  nice: number | null;
  /** That it ran on last. */
  processor: number | null;
  /** PID. */
  parent: number | null;
  /** Bytes. */
  virtual: number | null;
  /** Bytes. */
  swapped: number | null;
  /** Percent of the time, for a CPU. */
  waiting: number | null;
  /** Percent of the time, for block I/O. */
  blocked: number | null;
  /** Context switches a second, because it waited. */
  voluntary: number | null;
  /** Context switches a second, because others had to run. */
  forced: number | null;
  /** Percent of the samples in which it waited for I/O (state D). */
  uninterruptible: number | null;
  /** Percent of the samples in which it ran or could have run (state R). */
  runnable: number | null;
  cgroup: string;
  started: Nanos | null;
  /** Began in this time: its rates count from its start. */
  new?: boolean;
  /** Over a window: not there any more at its end. */
  ended?: boolean;
}

/** Addition: asks who used a resource, over time. */
export interface ConsumerQuery {
  source: SourceID;
  /** "cpu" (default), "memory", "read", "write", open "files", or what the table of processes has under the other names. */
  what?: "cpu" | "memory" | "read" | "write" | "userCPU" | "sysCPU" | "waiting" | "blocked" | "swapped" | "major" | "minor" | "voluntary" | "forced" | "threads" | "uninterruptible" | "runnable" | "files";
  /** "command" (default), "user", "cgroup" or "process". */
  by?: "command" | "user" | "cgroup" | "process";
  /** How many by name; 7 where absent. */
  top?: number;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/** Addition: holds one value for each sample and consumer, for a stack. */
export interface Consumers {
  start: Nanos;
  /** Seconds after start; the samples. */
  times: Float64Array;
  /** "%" of one CPU, "byte" or "byte / sec". */
  units: string;
  /** The largest first; then all others, and what is in no sample. */
  series: Consumer[];
  /** Why zero throughout means nothing: the collector may not read these counters of processes that are not its own. */
  unreadable?: string;
}

/** Addition: one layer of the stack. */
export interface Consumer {
  name: string;
  kind: "named" | "others" | "in no sample";
  values: Float64Array;
  mean: number;
}

/** Addition: asks what changed between two windows. An end that is absent is the end of the source. */
export interface CompareQuery {
  source: SourceID;
  aStart?: Nanos | string;
  aEnd?: Nanos | string;
  bStart?: Nanos | string;
  bEnd?: Nanos | string;
  /** Other is the source of window B, where it is not the same. */
  other?: SourceID;
  zone?: string;
  /** Smallest that counts, 0 to 1; 0.3 where absent. */
  effect?: number;
  /** Smallest that counts, as a share of the larger median; 0.05 where absent. */
  shift?: number;
  /** Include series of processes. */
  processes?: boolean;
  /** Of the small charts; 40 where absent. */
  points?: number;
}

/** Addition: lists what changed, the largest effects first. */
export interface Comparison {
  /** Series with values in both windows. */
  compared: number;
  differ: number;
  changes: Change[];
  /** Series with values in one window alone. */
  only: OnlyIn[];
  a: { start: Nanos; end: Nanos };
  b: { start: Nanos; end: Nanos };
}

/** Addition: one series, and those that moved with it. */
export interface Change {
  metric: string;
  instance: { id: number; name: string } | null;
  /** Addition: what people call the instance, as in Column. */
  title?: string;
  oneline: string;
  /** What people call the metric, by the panel that shows it, "Free memory"; "" where none does. */
  name: string;
  /** Of the values, where units say nothing: "tasks", "%". */
  unit: string;
  /** "CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Processes" or "Other". */
  family: string;
  units: string;
  medianA: number;
  medianB: number;
  /** Hodges-Lehmann: the median of all differences between a value of B and one of A. */
  shift: number;
  /** Of the medians; NaN from 0. */
  ratio: number;
  /** Cliff's delta, -1 to 1. */
  effect: number;
  samplesA: number;
  samplesB: number;
  /** Part of the window with values, 0 to 1. */
  coveredA: number;
  coveredB: number;
  /** For the small charts. */
  a: Float64Array;
  b: Float64Array;
  /** Series that moved with it, "metric[instance]". */
  with: string[];
}

/** Addition: a series that has values in one window alone. */
export interface OnlyIn {
  metric: string;
  instance: { id: number; name: string } | null;
  in: "A" | "B";
}

/** Addition: what to save, and how. */
export interface SaveQuery {
  source: SourceID;
  /** With neither start nor end: all of the source. */
  start?: Nanos | string;
  end?: Nanos | string;
  /** As in Query. */
  zone?: string;
  /** Leaves out the last values before the window, without which a counter has no rate at its start. */
  strict?: boolean;
  /** Names, or their beginnings up to a dot ("disk.dev"); all where absent. */
  metrics?: string[];
  /** Names; all where absent. Metrics without instances are not concerned. */
  instances?: string[];
  /** Of the format, 2 or 3; that of the source where absent. */
  version?: number;
  /** Bytes of a data volume; 100 MiB where absent. */
  volumeSize?: number;
  /** "none" where absent. PCP reads "zstd" from version 7 on. */
  compress?: "none" | "zstd";
  /** "tar" where absent; "files" gives each file of the archive by itself, the metadata last. */
  container?: "tar" | "zip" | "files";
  /** Thins: one value for each so much time. */
  every?: Nanos | string;
  /** Mends what PCP's own tools complain of: descriptors, encodings, instances without a name. */
  repair?: boolean;
  redact?: Redact;
  /** Base name of the result. */
  name?: string;
}

/** Addition: which texts are replaced by pseudonyms. */
export interface Redact {
  /** Kinds that stay: see Replacement. */
  without?: string[];
  /** Own words: plain, or a regular expression between slashes. */
  words?: string[];
  /** Of the pseudonyms, in hexadecimal digits; a random one where absent. The same key gives the same pseudonyms. */
  key?: string;
}

/** Addition: what is replaced. */
export interface Redaction {
  key: string;
  /** All kinds, those too that have nothing or stay. */
  list: Replacement[];
  /** What stays as it is: one sentence. */
  notLookedAt: string;
}

/** Addition: what is replaced of one kind. */
export interface Replacement {
  kind: "hosts" | "domains" | "machines" | "addresses" | "users" | "paths" | "arguments" | "containers" | "labels" | "instances" | "names" | "texts" | "help" | "words";
  /** In words. */
  title: string;
  /** False for a kind that stays. */
  on: boolean;
  /** Different ones. */
  texts: number;
  /** Where they stand. */
  places: number;
  /** Of the texts: short or common ones. They are replaced where they stand for something of the kind, and not searched for elsewhere. */
  local: number;
  /** Some of them, each followed by its pseudonym. */
  examples: string[];
}

/** Addition: what was saved. */
export interface Saved {
  files: SavedFile[];
  report: SaveReport;
}

/** Addition: which observations to write as tables, and how. */
export interface ExportQuery {
  source: SourceID;
  /** With neither start nor end: all of the source. */
  start?: Nanos | string;
  end?: Nanos | string;
  /** As in Query. */
  zone?: string;
  /** Names, beginnings of names up to a dot ("disk.dev"), or expressions; where absent, all that was logged and your own derived metrics. */
  metrics?: string[];
  /** Names; all where absent. */
  instances?: string[];
  /** "parquet" where absent. */
  format?: "parquet" | "arrow" | "csv" | "jsonl" | "openmetrics";
  /** "tar" where absent; "files" gives each table by itself. */
  container?: "tar" | "zip" | "files";
  /** Base name of the result. */
  name?: string;
}

/** Addition: what was written as tables. */
export interface Exported {
  files: SavedFile[];
  report: ExportReport;
}

/** Addition: how much was written as tables. */
export interface ExportReport {
  /** Of the first observation. */
  start: Nanos;
  end: Nanos;
  series: number;
  /** Numbers, texts, event records. */
  samples: number;
  strings: number;
  events: number;
  /** What was left out, a sentence each. */
  notes: string[];
}

/** Addition: one file that was saved. */
export interface SavedFile {
  name: string;
  bytes: number;
  data: Blob;
}

/** Addition: what an archive that was saved holds. */
export interface SaveReport {
  /** Of the first record. */
  start: Nanos;
  end: Nanos;
  records: number;
  /** Where nothing may be assumed across: between archives, and where data are missing. */
  marks: number;
  metrics: number;
  volumes: number;
  /** What is otherwise than one may think, a sentence each: converted, left out, missing. */
  notes: string[];
  replaced?: Redaction;
}
