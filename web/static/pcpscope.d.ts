// The JavaScript API of pcpscope.
//
//   import { start } from "./pcpscope.js";
//   const pcp = await start();
//   const { sources: [web01] } = await pcp.open(input.files);
//   const frame = await pcp.fetch({ source: web01.id, metrics: ["kernel.all.load"], interval: "10sec" });
//
// apiVersion is incremented by breaking changes, not by additions.

/** Starts an engine in a worker. Rejects if the program cannot be loaded or compiled. */
export function start(options?: StartOptions): Promise<Pcpscope>;

export interface StartOptions {
  /** The folder of app.wasm and worker.js, on the page's origin. Default: the folder of this module. */
  base?: string | URL;
  /**
   * The maximum number of concurrent workers: the engine, and others that unpack compressed files while there are
   * any. With 1 the engine does everything. Default: the number of cores, but between 2 and 5.
   */
  workers?: number;
  /** The compiled program, if it should not be fetched from base. */
  program?: WebAssembly.Module | Promise<WebAssembly.Module>;
  /** Starts the engine's worker (worker.js), if that should not be a Worker from base. Called again after an engine was lost. */
  worker?: () => EngineWorker;
}

/** The required part of a Worker. In Node it is a thread (pcpscope/node). Without workers, as in a SharedWorker, the engine runs in the thread that called start. */
export interface EngineWorker {
  onmessage: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  postMessage(data: any, transfer?: any): void;
  terminate(): void;
}

/** The compiled program that start uses, compiled once per base. For pages that want to begin early. */
export function compile(base?: string | URL): Promise<WebAssembly.Module>;

/** Nanoseconds since the Unix epoch. As a duration: nanoseconds. */
export type Nanos = bigint;

/** Identifies an open source. Never reused within one Pcpscope. */
export type SourceID = number;

/** Every failing call rejects with an Error whose fault has the reason. fault.kind is one of Fault's kinds; name is "AbortError" after a cancellation. */
export interface PcpscopeError extends Error {
  fault: Fault;
}

export interface Pcpscope {
  readonly apiVersion: 1;
  /** The version of the build. */
  readonly version: string;
  /** Opens archives and MMV files, in any order and number, also compressed or in tar or zip. Unusable files are listed in rejected. Settles when labels and metadata are known; values are read in the background. */
  open(files: Iterable<File | { name: string; data: Blob | ArrayBuffer | Uint8Array }>, o?: Progress): Promise<Opened>;
  /**
   * Opens files on a server: single files, the base name of an archive (".../web01" for web01.meta, web01.0 and so
   * on), or a folder (with a trailing "/") that the server lists as JSON. Relative URLs are resolved against the
   * page. Large uncompressed volumes are read by range requests, and only as far as needed: see Source.onDemand and
   * Query.read. Missing files are listed in rejected.
   */
  openURL(urls: Iterable<string | URL>, o?: FromServer): Promise<Opened>;
  /** All open sources. */
  sources(): Promise<Source[]>;
  /** Settles when the whole source has been read. Then problems, gaps and end are final. */
  loaded(source: SourceID, o?: Progress): Promise<Source>;
  /** Stops the reading. Partial queries are answered from what has been read; any other query resumes the reading. */
  halt(source: SourceID): Promise<Source>;
  /** The files of a source and how far each has been read. Does not wait. */
  files(source: SourceID): Promise<SourceFile[]>;
  close(source: SourceID): Promise<void>;
  /** Sorted by name. With prefix: the metric of that name, or those below it. */
  metrics(source: SourceID, o?: { prefix?: string }): Promise<Metric[]>;
  /** Searches names, help texts, instances, labels (also those of instances) and units. At most limit hits; 100 by default and for 0. */
  search(source: SourceID, text: string, o?: { limit?: number }): Promise<Hit[]>;
  /** All instances that occur anywhere in the archive. */
  instances(source: SourceID, indom: string): Promise<Instance[]>;
  fetch(q: Query, o?: Progress): Promise<Frame>;
  /** Defines a derived metric in the source. From then on it can be used like any other metric. */
  derive(source: SourceID, name: string, expression: string): Promise<Metric>;
  /** The faults of an expression; [] if it is valid. */
  check(source: SourceID, expression: string): Promise<Fault[]>;
  /** Checks whether an expression stays within a limit at every observation, and if not, when and for how long. The same as checkRule. */
  check(query: CheckQuery, o?: Progress): Promise<Checked>;
  checkRule(query: CheckQuery, o?: Progress): Promise<Checked>;
  /** Looks for everything that pmlogcheck reports, even if it did not affect the reading. */
  inspect(source: SourceID, o?: Progress): Promise<Fault[]>;
  /** The derived metrics of a source: its own, and built-in ones whose operands were logged. */
  definitions(source: SourceID): Promise<Definition[]>;
  /** Adds the definitions of a text in the syntax of PCP's configuration files, replacing those of the same name. file names the text in faults. */
  define(source: SourceID, text: string, file?: string): Promise<Defined>;
  /** Removes one of the source's own definitions; false if there is none of that name. */
  undefine(source: SourceID, name: string): Promise<boolean>;
  /** The source's own definitions as a configuration file. */
  config(source: SourceID): Promise<string>;
  /** Completions at a position of an expression, in UTF-16 units. */
  complete(source: SourceID, text: string, at: number): Promise<Completion>;
  /** The type and units of an expression in a source, as a whole and part by part. */
  describe(source: SourceID, expression: string): Promise<Description>;
  /** Takes another reading of an MMV file. Rejects with kind "truncated" while its program is rewriting it; read it again then. */
  update(source: SourceID, file: File | { name: string; data: Blob | ArrayBuffer | Uint8Array }): Promise<Source>;
  /** Whether each logged metric changes, in order of names. Waits until the source has been read. */
  activity(source: SourceID, o?: Progress): Promise<Activity[]>;
  /** Metrics or expressions over the whole source in the given number of points each (2 to 1000), counters as rates. Non-numeric ones are omitted. */
  sparklines(source: SourceID, names: Iterable<string>, points: number, o?: Progress): Promise<Sparkline[]>;
  /** As computed by pmlogsummary, plus percentiles. */
  summary(q: SummaryQuery, o?: Progress): Promise<Summary[]>;
  /** The overview of a source: the host, the worst case of each resource, what happened. Waits until the source has been read. */
  overview(source: SourceID, o?: Progress): Promise<Overview>;
  /** Only the findings of overview. */
  findings(source: SourceID, o?: Progress): Promise<Finding[]>;
  /** The thresholds used by overview and findings. */
  rules(source: SourceID): Promise<Rule[]>;
  /** Evaluates rules in the language of pmie(1), in the part that docs/rules.md describes, over the archive: when each was true, false or unknown. Nothing that they would do is done. The same as runRules. */
  rules(query: RulesQuery, o?: Progress): Promise<RuleResults>;
  runRules(query: RulesQuery, o?: Progress): Promise<RuleResults>;
  /** Changes a threshold for this source; without a value, restores the default. */
  setRule(source: SourceID, name: string, value?: number): Promise<Rule[]>;
  /** All dashboards, including those for which the source has no data. Does not wait; headlines and sparklines are there once the source has been read. */
  dashboards(source: SourceID, o?: Progress): Promise<DashboardInfo[]>;
  /** One dashboard, as far as the source has data for it. */
  dashboard(source: SourceID, id: string): Promise<Dashboard>;
  /** Converts the text of a pmchart view or a pmrep configuration to dashboards. name is that of the file. */
  importDashboards(source: SourceID, name: string, text: string): Promise<ImportedDashboards>;
  /** The processes at a moment, with their usage since the previous sample, or over a window. */
  processes(q: ProcessQuery, o?: Progress): Promise<ProcessTable>;
  /** Who used a resource, sample by sample. */
  consumers(q: ConsumerQuery, o?: Progress): Promise<Consumers>;
  /** What changed from window A to window B. */
  compare(q: CompareQuery, o?: Progress): Promise<Comparison>;
  /** A measure by days and hours, from all observations, with the usual band of each hour of the week. Waits until the source has been read. */
  days(q: DaysQuery, o?: Progress): Promise<Days>;
  /** The days that differ most from others by the key measures of a host, the most unusual first. Waits until the source has been read. */
  unusualDays(q: UnusualQuery, o?: Progress): Promise<UnusualDay[]>;
  /** What left its usual range in a window, since when, what moved with it and who used the resource. Waits until the source has been read. */
  explain(q: ExplainQuery, o?: Progress): Promise<Explanation>;
  /** What happened in a recording: incidents, recurring jobs, and the history of the host. A window in which nothing was recorded is refused. Waits until the source has been read. */
  story(q: StoryQuery, o?: Progress): Promise<Story>;
  /** What moves with a series in a window: series and commands, by rank correlation, and by how many seconds they lead or lag. Waits until the source has been read. */
  moves(q: MovesQuery, o?: Progress): Promise<Moves>;
  /** Writes a source, or a part of it, as an archive for PCP's own tools. Waits until the source has been read. Nothing is returned before it is complete and, with redact, has been checked. */
  save(q: SaveQuery, o?: Progress): Promise<Saved>;
  /** Writes observations as logged, as tables for DuckDB, ClickHouse, Spark, pandas and the like. A window in which nothing was recorded is refused. Loads tables.wasm the first time; not available in Node and in the single-file page. */
  exportTables(q: ExportQuery, o?: Progress): Promise<Exported>;
  /** What save would replace, by kind. Pass its key to save to get the pseudonyms shown. */
  redaction(q: SaveQuery, o?: Progress): Promise<Redaction>;
  /** Replaces in texts, such as a report or a session file, what save would replace with q.redact and its key. */
  redactText(q: SaveQuery, texts: string[], o?: Progress): Promise<string[]>;
  /** Settles when nothing is running or waiting to be drawn. */
  idle(): Promise<void>;
  /** Keeps idle from settling until the returned function is called. */
  hold(): () => void;
  /** Ends the engine. Pending and later calls reject with kind "cancelled". */
  terminate(): void;
}

export interface Progress {
  /** Really cancels: the engine stops working on the call. */
  signal?: AbortSignal;
  /** phase is a text for people; done and total are bytes. */
  onProgress?(p: { phase: string; done: number; total: number }): void;
}

export interface FromServer extends Progress {
  /** Sent with each request, such as { Authorization: "Bearer ..." }. */
  headers?: Record<string, string>;
}

export interface Opened {
  sources: Source[];
  rejected: { name: string; fault: Fault }[];
  /** The contents of tars and zips that are not part of an archive; bytes are unpacked. */
  skipped?: { files: number; bytes: number };
  /** Configuration files of PCP's tools. */
  settings?: Setting[];
}

/** A configuration file. */
export interface Setting {
  name: string;
  kind: "derived" | "view" | "pmrep" | "rules";
  text: string;
  /** What a file of derived metrics defined: in the sources opened with it, or if it was opened alone, in all open sources. */
  defined: Defined | null;
}

/** A derived metric of a source. */
export interface Definition {
  name: string;
  expression: string;
  oneline: string;
  help: string;
  builtIn: boolean;
  /** The resulting metric in this source; null if it cannot be computed. */
  metric: Metric | null;
  /** Why it cannot be computed. */
  fault?: Fault;
}

/** What a text defined. The field of a fault is the line; its span is within the expression on it. */
export interface Defined {
  names: string[];
  faults: Fault[];
}

/** Completions at a position of an expression. */
export interface Completion {
  /** The text that a candidate replaces, in UTF-16 units. */
  span: [start: number, end: number];
  /** Number of all candidates; the best are listed. */
  total: number;
  candidates: Candidate[];
}

export interface Candidate {
  /** The text to insert; for a function including its opening parenthesis. */
  text: string;
  kind: "metric" | "derived" | "prefix" | "function" | "instance";
  /** The text to show; for a function its signature. */
  name: string;
  help: string;
  type: string;
  semantics: string;
  units: string;
}

/** The meaning of an expression. */
export interface Description {
  /** The result; its name is the expression. Null if there are faults. */
  metric: Metric | null;
  faults: Fault[];
  /** The smallest parts first. */
  parts: Part[];
}

/** A part of an expression. */
export interface Part {
  /** In UTF-16 units. */
  span: [start: number, end: number];
  text: string;
  /** False if it, or a part of it, is wrong. */
  right: boolean;
  type: string;
  units: string;
}

/** An archive, a set of archives of one host, or an MMV file. */
export interface Source {
  id: SourceID;
  kind: "archive" | "mmv";
  name: string;
  host: string;
  timezone: string;
  zoneinfo: string;
  pid: number;
  /** Format version. Archives: 2 or 3, the highest of a set. MMV: 1, 2 or 3. */
  version: number;
  start: Nanos;
  end: Nanos;
  /** Number of metrics. */
  metrics: number;
  /** Total size of the files as given. */
  bytes: number;
  members: string[];
  gaps: { start: Nanos; end: Nanos; why: "mark" | "between archives" | "missing volume" }[];
  /** Number of all gaps. If there are very many, gaps lists a thousand: the longest ranges, and evenly chosen marks. */
  gapCount: number;
  /** Damage and its consequences; everything else was opened. */
  problems: Fault[];
  /** A hash: the same files have the same fingerprint. */
  fingerprint: string;
  /** A source on a server that is read only as far as needed. Until loaded, or a query that is not partial, asks for all of it, partial queries are answered with a preview. */
  onDemand?: boolean;
  /** The fraction of the data that has been read, 0 to 1. Until it is 1, problems, gaps and end may change. */
  loaded: number;
}

/** A file of a source, and how far it has been read. */
export interface SourceFile {
  /** As in Source.members. */
  name: string;
  /** Size of the file as given. */
  bytes: number;
  /** Bytes read so far. */
  read: number;
  /** Bytes unpacked so far, for a compressed file. */
  unpacked?: number;
  /** Records of a data volume read so far, or entries of a temporal index. */
  records?: number;
  /** Times of the first and last record read from a data volume; for an MMV file, when it was read. */
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
  /** Merged over the hierarchy down to the instance domain, without those of instances. */
  labels: Record<string, unknown>;
  /** For derived metrics. */
  expression?: string;
}

export interface Instance {
  id: number;
  name: string;
  /** The instance's human-readable name, as in Column. */
  title?: string;
  first: Nanos;
  last: Nanos;
  labels?: Record<string, unknown>;
}

/** Requests values. Unknown fields are rejected. */
export interface Query {
  source: SourceID;
  /** Metric names or derived expressions. */
  metrics: string[];
  /** Instance names. Default: all; []: none. */
  instances?: string[];
  /** interp, the default, gives values at equally spaced times; raw gives the logged observations. */
  mode?: "interp" | "raw";
  /**
   * Strings are in PCP's time syntax: "-5min", "@10:00", "10sec"; or ISO 8601: "2017-02-27T03:40:42.5+01:00", "2017-02-27".
   * A local time that occurs twice, when summer time ends, is the first one in the source, and for `end` after `start`.
   * An invalid Date is a fault of kind `argument`, here and in every other call.
   */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  interval?: Nanos | string;
  /**
   * The time zone of these strings: a name such as "Europe/Berlin", or a value of TZ. Default: the archive's: its
   * zoneinfo, or its timezone if it has none. "archive": its timezone, as with -z in PCP's tools.
   */
  zone?: string;
  /** With start and interval, in place of end. 0: as if it were absent. */
  count?: number;
  /** rate converts counters to rates, and times to utilisation, as pmval does. Default: none. */
  convert?: "none" | "rate";
  /** Maximum number of points per series; the minimum and maximum of each step are kept. Without an interval, reduce is "mean" by default. 0: as if it were absent. */
  pixels?: number;
  /** Answer immediately from what has been read, with a preview of the rest. */
  partial?: boolean;
  /**
   * How much to read for the answer: "preview" (the same as partial); "window" for what the window needs, which gives
   * exact values; or "all". Default: everything that the window touches.
   */
  read?: "preview" | "window" | "all";
  /**
   * As charts need expressions: division by zero, an average of nothing and a sum of missing values, such as rates at the
   * first sample, give no value, whereas PCP gives infinity or 0; and discrete operands, such as the number of CPUs, which
   * pmlogger logs once, keep their value across marks, which end it in PCP.
   */
  gaps?: boolean;
  /**
   * What a point represents if its step covers several observations. sample, the default, is the value at its
   * time, as in PCP's tools. The others summarise everything after the previous point up to its own time: mean over
   * time, max, min, p95, or last; low and high are the extremes. For a counter, which needs convert "rate", they
   * summarise the rates between records, except between records that are less than a hundredth of the usual
   * interval apart. Strings have last only. The last step may extend beyond end, but only represents what lies before it.
   */
  reduce?: "sample" | "mean" | "max" | "min" | "p95" | "last";
  /**
   * With reduce: keeps the samples on a grid about as dense as the observations, where a mean would lag behind. Only
   * steps that miss an observation have other extremes, and a value if there is no sample.
   */
  samples?: boolean;
  /** Requests Column.statistics over a time range, {} for the whole query. */
  statistics?: Range;
}

/** A time range. A missing end is that of the query. */
export interface Range {
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
}

/** Columns on a common time axis. */
export interface Frame {
  start: Nanos;
  /** Seconds after start. In raw mode, the union of the columns' times. */
  times: Float64Array;
  /** In the order requested, instances by id. */
  columns: Column[];
  /** Seconds after start. No line may be drawn across a mark. */
  marks: Float64Array;
  /** Seconds between points; absent in raw mode. */
  step?: number;
  /** What the values of columns with low and high are: "mean", "max" and so on. */
  reduced?: string;
  /** A part of the window has not been read yet; a few records, or nothing, represent it. */
  preview?: boolean;
  /** What the values are based on, as Query.read. A preview is a subset of the logged values; the others are exact. */
  read?: "preview" | "window" | "all";
  /** For a preview: the time up to which the whole window has been read. */
  readTo?: Nanos;
}

export interface Column {
  metric: string;
  /** null for a singular metric. Without metadata, several values of a metric are numbered. */
  instance: { id: number; name: string } | null;
  units: string;
  type: string;
  semantics: string;
  /** NaN where there is no value. Strings for STRING metrics. */
  values: Float64Array | (string | null)[];
  /** 64-bit integers, provided whenever one is beyond 2^53. */
  exact?: BigInt64Array | BigUint64Array;
  /** With pixels or reduce: the minimum and maximum in the step. Absent if every point is a single observation. */
  low?: Float64Array;
  high?: Float64Array;
  /** Statistics of the observations, if requested and the series has any. */
  statistics?: Statistics;
  /** Why each point has no value, as numbers of Why; absent if none is missing. */
  why?: Uint8Array;
  /** Error codes logged in place of values; at is an index into the frame's times. */
  codes?: { at: number; code: number; text: string }[];
  /** The event records of a metric of type EVENT or HIGHRES_EVENT, in raw mode. values has their bytes in hex. */
  events?: EventRecord[];
  /** The instance's human-readable name, if the source has one: for a cgroup, its pod and container; for a filesystem, where it is mounted. */
  title?: string;
  /** For a derived metric: the missing operand. */
  operand?: string;
  /** Why this column has no data. */
  fault?: Fault;
}

/** An event, with its own time. */
export interface EventRecord {
  /** Index into the frame's times: the value that contained it. */
  at: number;
  /** When it happened, which may be long before the value was logged. */
  time: Nanos;
  /** As pmEventFlagsStr(3): "point", "start,id,parent", "missed". */
  flags: string;
  /** Number of records lost here. */
  missed?: number;
  /** Metric names, or PMIDs if the source has no name for one. Numbers in decimal, other bytes in hex. */
  params: { metric: string; value: string }[];
}

/**
 * The numbers in Column.why.
 * 0 has a value, 1 before the first observation, 2 after the last observation, 3 across a mark,
 * 4 the instance is absent, 5 the counter went backwards, 6 an error was logged, 7 not in this archive,
 * 8 no previous sample, 9 the value cannot be converted, 10 an operand has no value, 11 division by zero,
 * 12 not read yet, 13 the volume is missing, 14 the data are damaged,
 * 15 not logged at this time, 16 the expression leaves it out.
 */
export type Why = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16;

/** Statistics of a series in a window, for a counter of its rates; as in Summary with measured. */
export interface Statistics {
  count: number;
  /** Mean over time. */
  average: number;
  median: number;
  p95: number;
  p99: number;
  minimum: number;
  minimumAt: Nanos;
  maximum: number;
  maximumAt: Nanos;
  /** The last value in the window. */
  last: number;
  lastAt: Nanos;
  /** Fraction of the window that the series spans, 0 to 1. */
  covered: number;
}

/** Exactly one of above, below and always must be given. */
export interface CheckQuery {
  source: SourceID;
  /** A metric or a derived expression. */
  expression: string;
  /** Instance names. Default: all. */
  instances?: string[];
  /** Values above, or below, this limit are violations. In the units of the answer: utilisation is a fraction, 0.9 for 90 %. */
  above?: number;
  below?: number;
  /** The expression is a condition, such as "mem.freemem > 100000", which must hold. */
  always?: boolean;
  /** A duration ("1min"): shorter violations are ignored. */
  for?: Nanos | string;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  /** Default "rate", otherwise as in Query. */
  convert?: "none" | "rate";
  /** Default "window", otherwise as in Query. */
  read?: "preview" | "window" | "all";
}

export interface Checked {
  /** There are values, and no violation that counts. */
  ok: boolean;
  /** Violations that last at least as long as "for", by start. */
  runs: CheckRun[];
  observations: number;
  units: string;
  /** A sentence for a log. Its time is in ISO 8601, in the query's zone or the archive's. */
  sentence: string;
}

/** A time range in which every observation was a violation. A value holds until the next one, a setting (discrete) also until a gap or the end, and into a window that begins after its record; a rate, since the previous one. */
export interface CheckRun {
  instance: { id: number; name: string } | null;
  start: Nanos;
  end: Nanos;
  seconds: number;
  worst: number;
  worstAt: Nanos;
}

/** Rules are evaluated at the start and then every "delta" of theirs. */
export interface RulesQuery {
  source: SourceID;
  /** A file of rules in the language of pmie(1), or of pmieconf(5), whose variables have their defaults; at most 256 KiB. */
  text: string;
  /** The name of the file, for error messages. */
  file?: string;
  /** Default: the whole source. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  /** Of $hour and the like. */
  zone?: string;
  /** For a picture of that width: short runs are joined, and of many lanes those that were true longest are given. Default: everything. */
  pixels?: number;
}

export interface RuleResults {
  start: Nanos;
  end: Nanos;
  /** In the order of the file. */
  rules: RuleResult[];
}

/** One rule. If it has a fault it has no lanes, unless the archive merely lacks a metric: then it is unknown throughout. */
export interface RuleResult {
  /** As in the file; expr_1, expr_2 and so on, as pmie numbers them, if it has none. */
  name: string;
  /** The expression. */
  text: string;
  /** The description of a rule of pmieconf. */
  help?: string;
  /** A rule of pmieconf that is not enabled by default; it is evaluated nevertheless. */
  off?: boolean;
  /** Seconds between evaluations. */
  delta: number;
  /** What pmie would do when it becomes true. */
  actions: RuleAction[];
  /** The expression is a number, not a condition, so it has no lanes. */
  number?: boolean;
  /** Why it is not evaluated; span is its place in the text. */
  fault?: Fault;
  /** One, or one for each instance. */
  lanes: RuleLane[];
  /** How many lanes there are. */
  of: number;
  /** Seconds, of the lane that was true longest. */
  true: number;
}

export interface RuleAction {
  kind: string;
  /** With %h, %i and %v as written. */
  text: string;
  /** Seconds during which it would not be repeated. */
  holdoff: number;
  /** Done only if the action before it fails. */
  else?: boolean;
}

/** A condition over time, of one instance if it has instances. */
export interface RuleLane {
  instance: { id: number; name: string } | null;
  /** From start to the last evaluation, without gaps. */
  runs: RuleRun[];
  /** Seconds. */
  true: number;
  /** How often it was true. */
  times: number;
}

/** A time range in one state: from the first evaluation that found it to the next that did not, or to the last of all. */
export interface RuleRun {
  start: Nanos;
  end: Nanos;
  /** "true", "false" or "unknown". */
  state: string;
  /** The text of the first action when it became true. */
  says?: string;
}

/** Default: all numeric metrics. */
export interface SummaryQuery {
  source: SourceID;
  metrics?: string[];
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  bins?: number;
  /**
   * Leave out of extremes, percentiles and bins the rates between records that are less than a hundredth of
   * the usual interval apart. A 10 ms clock read after 1 ms measures nothing; pmlogsummary counts it. The time average
   * of values that did not last, such as a single one, is their mean; pmlogsummary says 0.
   */
  measured?: boolean;
}

/** Statistics of a numeric series, with rates and units as pmlogsummary reports them. */
export interface Summary {
  metric: string;
  instance: { id: number; name: string } | null;
  /** The instance's human-readable name, as in Column. */
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
  /** Fraction of the window that the series spans, 0 to 1. */
  covered: number;
  bins?: { upTo: number; count: number }[];
}

/** Requests one measure by days and hours. */
export interface DaysQuery {
  source: SourceID;
  /** A name or an expression; counters are shown as rates. */
  metric: string;
  /** The name of one of several instances. */
  instance?: string;
  /** How to combine several instances if none is named. Default: the sum for additive values (counters, counts, sizes), otherwise the average. */
  aggregate?: "sum" | "avg" | "max" | "min";
  /** Days that overlap the window are covered entirely. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/**
 * A measure by days and hours, from all observations, as fetch with reduce gives for an interval of an hour. Hourly
 * values are in order of days, 24 for each. An hour repeated by the clock holds both; one skipped by it is NaN.
 */
export interface Days {
  metric: string;
  instance: { id: number; name: string } | null;
  /** "" if there was nothing to combine. */
  aggregate: string;
  units: string;
  days: Day[];
  /** Mean over time; NaN without observations. */
  average: Float64Array;
  minimum: Float64Array;
  maximum: Float64Array;
  /** Number of observations; for counters, of rates that ended in the hour. */
  count: Float64Array;
  /** Fraction of the hour that average covers, 0 to 1. */
  covered: Float64Array;
  /** The usual band: of the averages of each hour of the week, beginning with Sunday 00:00, 168 in all. NaN if fewer than three weeks have that hour. */
  median: Float64Array;
  p10: Float64Array;
  p90: Float64Array;
  /** Number of averages behind it. */
  weeks: Float64Array;
  outages: Outage[];
  boots: Nanos[];
  /** By this measure alone, the most unusual first. */
  unusual: UnusualDay[];
  /** Number of days with observations. */
  observed: number;
}

/** A day of a calendar in a time zone. */
export interface Day {
  /** "2018-02-27" */
  date: string;
  /** 0 for Sunday. */
  weekday: number;
  start: Nanos;
  /** When the next day begins. */
  end: Nanos;
}

/** Requests what was unusual in a window. */
export interface ExplainQuery {
  source: SourceID;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  /** Maximum number of points of the small charts. Default 120. */
  points?: number;
}

/** What left its usual range in a window, compared with other time ranges of the same source. It shows what happened together, not why. */
export interface Explanation {
  /** The window. */
  start: Nanos;
  end: Nanos;
  /** Number of other time ranges that the window is compared with, and the length of each in seconds. */
  stretches: number;
  length: number;
  /** The small charts have a value here and every step seconds from here on: the mean of the step that ends there. */
  from: Nanos;
  step: number;
  /** One per subject, the most unusual first. */
  rows: ExplanationRow[];
  /** For the resources in rows. */
  who: ResourceUse[];
  /** Commands that used CPU time in the window but not in a period of the same length before it, the busiest first. */
  began: StartedCommand[];
  /** The same in sentences. */
  text: string[];
  /** Why there is no explanation; "" if there is one. */
  why: string;
}

/** A subject that was unusual, represented by its most telling series. */
export interface ExplanationRow {
  family: "cpu" | "memory" | "disk" | "network" | "filesystem" | "processes" | "cgroup" | "collector" | "other";
  /** "Disk sdb" */
  subject: string;
  /** "" for the CPU time of a command. */
  metric: string;
  instance: { id: number; name: string } | null;
  /** The command whose CPU time it is, in percent of one CPU; "" for a metric. */
  command: string;
  /** The instance's human-readable name, as in Column.title. */
  title?: string;
  /** The metric's human-readable name, or "". */
  name: string;
  /** The unit of the values, if units does not say it. */
  unit: string;
  /** Those of rates, for counters. */
  units: string;
  /** Mean in the window; with changed, the change over it. */
  was: number;
  /** Median of the means, or changes, of the other time ranges; 5 % of these are below low, 5 % above high. */
  usual: number;
  low: number;
  high: number;
  /** How far outside of low to high, in multiples of a significant difference; negative if below. */
  beyond: number;
  score: number;
  /** When it left its range; null if that cannot be determined. */
  since: Nanos | null;
  values: Float64Array;
  /** Other series of the subject, "metric[instance]", and commands. */
  with: string[];
  /** What moves with it, the most strongly correlated first. */
  moves: Correlation[];
  /**
   * There if not the mean of a level but its change over the window was unusual: was, usual, low and high are changes then.
   * Where the other time ranges are shorter than the window, the last three are what as many of them as it has room for would add up to.
   */
  changed?: FromTo;
  /** What moves with it in words; absent if nothing does. */
  movesText?: string;
  text: string;
}

/** A level at the start of a window and at its end. */
export interface FromTo {
  from: number;
  to: number;
}

/** A series, or the CPU time of a command, that is correlated with another. */
export interface Correlation {
  /** "metric[instance]"; "" for a command. */
  series: string;
  /** "" for a series. */
  command: string;
  /** Spearman's rank correlation. */
  rho: number;
  /** Seconds by which it lags; negative if it leads. */
  lag: number;
}

/** Requests what moves with a series. Rejects with "argument" if metric has several instances and instance is missing, or has no numbers. */
export interface MovesQuery {
  source: SourceID;
  /** A metric, a derived metric or an expression. */
  metric?: string;
  /** In place of a metric: a command, whose CPU time is compared. */
  command?: string;
  /** The name of the instance; may be missing if there is only one. */
  instance?: string;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
  /** Maximum number of points of the small charts, 2 to 1000. Default 120. */
  points?: number;
  /** Maximum number of rows, 1 to 100. Default 12. */
  limit?: number;
}

/** Series and commands that rise and fall with a series, or a little before or after it. It shows what happened together, not why. */
export interface Moves {
  /** The window. */
  start: Nanos;
  end: Nanos;
  /** The small charts have a value here and every step seconds from here on: the mean of the step that ends there. */
  from: Nanos;
  step: number;
  /** Seconds. Lags are multiples of it, up to six; at six the lag may be longer. */
  resolution: number;
  /** The series asked about; its rho is 1. */
  series: Mover;
  /** Number of other series that were compared with it. */
  looked: number;
  /** Correlations of at least 0.7 that are hardly chance, one per subject, the strongest first; those with same last. */
  rows: Mover[];
  /** Why there are no rows; "" if there are. */
  why: string;
}

/** A series or a command that is correlated with another series. */
export interface Mover {
  /** As ExplanationRow.family. */
  family: string;
  /** "Disk sdb"; for a command, its name. */
  subject: string;
  /** "" for a command. */
  metric: string;
  instance: { id: number; name: string } | null;
  /** "" for a series. */
  command: string;
  /** The instance's human-readable name, as in Column.title. */
  title?: string;
  /** The metric's human-readable name, or ""; for a command "CPU time" (in percent of one CPU) or "processes" (how many were seen). */
  name: string;
  /** The unit of the values, if units does not say it. */
  unit: string;
  /** Those of rates, for counters. */
  units: string;
  /** Spearman's rank correlation at lag, -1 to 1. */
  rho: number;
  /** Seconds by which it lags; negative if it leads. */
  lag: number;
  /** NaN where there is none. */
  values: Float64Array;
  /** Other series of the subject, "metric[instance]", and commands that come and go at the same times. */
  with: string[];
  /** Whether it measures the same subject as the series asked about, or repeats it, as a partition does for its disk. */
  same: boolean;
}

/** Who used a resource in a window. */
export interface ResourceUse {
  /** As ConsumerQuery.what; for memory, its growth. */
  resource: "cpu" | "read" | "write" | "memory" | "uninterruptible";
  units: string;
  /** As Consumers.unreadable. */
  unreadable?: string;
  /** The largest first. */
  commands: Share[];
  /** How many further commands used some of it. */
  more: number;
  /** Their fraction of the total. */
  others: number;
  /** Fraction of the total that no command explains. */
  rest: number;
  /** The largest processes, as far as they were sampled; empty where they say no more than commands. */
  processes: ProcessShare[];
  /** The same by user, if that was logged. */
  users: GroupShare[];
  /** The same by cgroup, or container, if that was logged. */
  cgroups: GroupShare[];
}

/** What a process used of a resource. */
export interface ProcessShare {
  command: string;
  pid: number;
  mean: number;
  /** 0 to 1 */
  share: number;
}

/** What the processes of a user or of a cgroup used of a resource. */
export interface GroupShare {
  name: string;
  mean: number;
  /** 0 to 1 */
  share: number;
}

/** What a command used of a resource. */
export interface Share {
  command: string;
  mean: number;
  /** 0 to 1 */
  share: number;
  /** The part of share that went to short-lived processes that were not sampled, estimated from those that were. */
  estimated?: number;
  /** Standard error of that estimate. */
  error?: number;
}

/** A command that was new in a window. */
export interface StartedCommand {
  command: string;
  /** The first sample with CPU time of it. */
  at: Nanos;
  /** Mean over the window, in percent of one CPU. */
  cpu: number;
}

/** Asks what happened in a record. */
export interface StoryQuery {
  source: SourceID;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  /** The time zone of recurring jobs and text. Default: the source's. */
  zone?: string;
  /** The lowest score of an incident that is listed. Default 8. */
  least?: number;
}

/** What happened, as far as it was logged. It shows what happened together, not why. */
export interface Story {
  /** The window. */
  start: Nanos;
  end: Nanos;
  /** Levels are compared by means over this many seconds. */
  step: number;
  /** Number of series that were examined; processes by command. */
  series: number;
  /** In order of time. */
  incidents: Incident[];
  /** The largest first. */
  recurring: Recurrence[];
  /** In order of time. */
  history: Event[];
  /** The same in sentences, with times in the zone. */
  text: string[];
  /** Why there are no incidents; "" if there can be some. */
  why: string;
}

/** A time at which several subjects changed their levels. */
export interface Incident {
  /** The record before the first that shows what changed first, or when the host booted, or the recording resumed, between these. */
  at: Nanos;
  /** When most of them were back at their previous level, or the beginning of the outage after which they were; null if that was not recorded. */
  until: Nanos | null;
  score: number;
  /** Number of series that changed. */
  series: number;
  /** One for each subject, the largest first; those that weigh less than 1 are left out, but not the first. */
  changes: LevelChange[];
  /** What changed before the first of these; null if nothing did. */
  first: LevelChange | null;
  /** Commands that used no CPU time before it. */
  began: string[];
  /** An event of the host just before it, such as "Host rebooted"; "" if there was none. */
  after: string;
  /** If there was none: one between its beginning and the last of its changes; "" likewise. */
  during: string;
  text: string;
}

/** A subject that changed from one level to another, represented by its most telling series. */
export interface LevelChange {
  family: ExplanationRow["family"];
  /** "Disk sdb" */
  subject: string;
  /** "" for the CPU time of a command. */
  metric: string;
  instance: { id: number; name: string } | null;
  /** "" for a metric. */
  command: string;
  /** The instance's human-readable name, as in Column.title. */
  title?: string;
  /** The metric's human-readable name, or "". */
  name: string;
  /** The unit of the values, if units does not say it. */
  unit: string;
  /** Those of rates, for counters. */
  units: string;
  /** Means of up to 60 steps; of recurring jobs the usual level and the peak. */
  before: number;
  after: number;
  at: Nanos;
  /** When it was back at the previous level; null if that was not recorded. */
  until: Nanos | null;
  weight: number;
  text: string;
}

/** What recurs at the same times of day. */
export interface Recurrence {
  /** Seconds. */
  period: number;
  /** Seconds into the period, which is counted from midnight in the zone. */
  phases: Float64Array;
  /** "every 30 min at :25 and :55" */
  clock: string;
  /** How often it occurred, of how many times for which there are records. */
  hits: number;
  slots: number;
  /** From the usual level to the peak, one for each subject. */
  changes: LevelChange[];
  text: string;
}

/** Requests the days that differ from others. */
export interface UnusualQuery {
  source: SourceID;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/** A day that differs from others, and in what. */
export interface UnusualDay {
  date: string;
  start: Nanos;
  end: Nanos;
  /** Sum over the hours of the distance from the usual band, on a log scale. */
  score: number;
  /** The greatest contribution first. */
  reasons: UnusualReason[];
  text: string;
}

/** A measure that was out of its usual band for hours of a day. */
export interface UnusualReason {
  /** "CPU busy" */
  name: string;
  expression: string;
  units: string;
  /** The range of hours furthest out. */
  start: Nanos;
  end: Nanos;
  /** All hours of the day out of the band. */
  hours: number;
  /** As for the day, from this measure. */
  score: number;
  /** Mean of that range. */
  value: number;
  /** The band then: 10th to 90th percentile of the hourly averages of other days. */
  low: number;
  high: number;
  /** The days compared: "other Tuesdays", "other working days", "other weekend days" or "other days". */
  against: string;
  text: string;
}

/** How a metric behaved over the whole source, and its size. */
export interface Activity {
  metric: string;
  /** empty: never a value; constant: no instance ever changed. */
  state: "empty" | "constant" | "moving";
  /** Number of records with the metric. */
  records: number;
  /** Number of values of all instances in all records. */
  values: number;
  /** Bytes of its values in the data volumes before compression, as from pmlogsize -d. */
  bytes: number;
}

/** A metric in a few points; of several instances, the one with the highest maximum. */
export interface Sparkline {
  metric: string;
  instance: { id: number; name: string } | null;
  units: string;
  /** NaN where there is no value. Means over time where a point covers several observations. */
  values: Float64Array;
  /** The minimum and maximum of each point; absent if it is a single observation. */
  low?: Float64Array;
  high?: Float64Array;
}

export interface Hit {
  metric: string;
  instance?: { id: number; name: string };
  /** The instance's human-readable name, as in Column. */
  title?: string;
  where: "name" | "help" | "instance" | "label" | "units";
  excerpt: string;
}

export interface Fault {
  kind: "truncated" | "corrupt" | "unsupported" | "expression" | "unknown-metric" | "unknown-instance" | "argument" | "cancelled" | "memory" | "internal";
  /** One sentence for users. */
  message: string;
  /** How the problem was worked around. */
  done?: string;
  file?: string;
  /** What was being read, in the terms of LOGARCHIVE(5) or mmv(5). */
  field?: string;
  /** In bytes. */
  offset?: number;
  /** Position in an expression, in UTF-16 units. */
  span?: [start: number, end: number];
  /** The time range of missing values. */
  lost?: { start: Nanos; end: Nanos };
  /** The time range of a problem without loss. */
  when?: { start: Nanos; end: Nanos };
  /** A correction of the expression. */
  fix?: Fix;
}

/** A likely correction of an expression. */
export interface Fix {
  /** The text to replace, in UTF-16 units. */
  span: [start: number, end: number];
  text: string;
  /** A description of text, such as its units; "" if it needs none. */
  what: string;
}

/** An entry in the list of dashboards. */
export interface DashboardInfo {
  id: string;
  title: string;
  /** A heading; "" for the first entries. */
  group: string;
  what: string;
  available: boolean;
  /** Why it is not available: "not logged", "no values". */
  whyNot?: string;
  /** Number of panels that can be shown. */
  panels: number;
  /** A value to show beside the title, such as "14.5 %"; sparkline is the same over the whole source. Both are set once the source has been read. */
  headline?: string;
  /** The expression behind them. */
  spark?: string;
  sparkline?: Float64Array;
  /** Level of the worst finding that belongs here. */
  level?: "look" | "broken";
}

/** A page of panels, as far as the source has data for them. */
export interface Dashboard {
  id: string;
  title: string;
  group: string;
  what: string;
  panels: DashboardPanel[];
  missing: MissingPart[];
}

/** A chart or table. Expressions can be passed to fetch as they are. */
export interface DashboardPanel {
  id: string;
  title: string;
  /** "% of all CPUs"; "" if the columns' own units apply. */
  unit: string;
  style: "line" | "stack" | "utilisation" | "mirror" | "bar" | "heatmap" | "state" | "topn" | "event" | "table" | "rows";
  what: string;
  usual: string;
  next: string;
  series: DashboardSeries[];
  thresholds: Threshold[];
  /** Fixed upper end of the scale. */
  max?: number;
  /** For style "topn": the number of lines. */
  top?: number;
  /** Of nested instances, such as cgroups, only the innermost are used. */
  leaves?: boolean;
  log?: boolean;
  decimals?: number;
  /** Command lines of PCP's tools that print the same numbers. */
  commands: string[];
}

/** A line of a panel, or one per instance. */
export interface DashboardSeries {
  /** "" if the instances' names suffice. */
  name: string;
  expression: string;
  /** "user", "sys", "read", "in" and so on; "" for the next colour. */
  role: string;
  /** Units of the result, as from pmUnitsStr. */
  units: string;
  unit?: string;
  /** The expression without a filter on instances, if expression has one that excludes loopback, virtual interfaces, or RAM disks. */
  all?: string;
  indom: string | null;
  /** Drawn downwards. */
  below?: boolean;
  /** Drawn bold. */
  bold?: boolean;
  /** On a scale of its own. */
  right?: boolean;
  /** Initially hidden. */
  hidden?: boolean;
}

/** A level shown as a line in a chart. */
export interface Threshold {
  value: number;
  /** In place of value. */
  expression?: string;
  label: string;
  /** Values below it deserve attention. */
  under?: boolean;
  /** The rule that sets this value: see rules. */
  rule?: string;
}

/** A panel or series for which the source has no data. */
export interface MissingPart {
  panel: string;
  /** "" for the whole panel. */
  series: string;
  /** Metric names. */
  needs: string[];
}

/** The result of converting a file of another tool. */
export interface ImportedDashboards {
  dashboards: Dashboard[];
  /** What could not be converted. */
  left: LeftOut[];
}

/** A part that could not be imported, and why. */
export interface LeftOut {
  /** Counted from 1; 0 if it is not one line. */
  line: number;
  /** The text of that line. */
  text: string;
  why: string;
}

/** The overview of a source. */
export interface Overview {
  /** Host, system, hardware, as far as logged. */
  who: Fact[];
  /** Start times of the host, ascending; empty if unknown. */
  boots: Nanos[];
  /** How much of the time was recorded. */
  recording: Recording;
  /** What happened to the host, by time. */
  history: Event[];
  /** Groups of metrics by logging interval, the most samples first. */
  coverage: Coverage[];
  /** The worst case of each resource. */
  tiles: Tile[];
  /** Broken first, then warnings, then information; within a level, by cost. */
  findings: Finding[];
  pulse: Pulse;
}

/** A fact about the host. */
export interface Fact {
  /** "kernel". */
  name: string;
  /** "4.13.9-300.fc27.x86_64". */
  value: string;
  metric: string;
}

/** Metrics that were logged equally often. What is said of their records holds for most of them. */
export interface Coverage {
  /** The usual interval between records in seconds; 0 if logged once, or once after each start of a logger. */
  interval: number;
  /** Number of metrics. */
  metrics: number;
  examples: string[];
  samples: number;
  /** Number of missing records for that interval, not counting marks and gaps. */
  missed: number;
  /** The longest interval in seconds. */
  longest: number;
  /** When that began. */
  at: Nanos;
  /** The mean interval in seconds, without marks and gaps. */
  mean: number;
  /** 95th percentile of the deviation from the interval in seconds, not counting records after missed ones. */
  jitter: number;
  /** Bytes of its values in the data volumes before compression. */
  bytes: number;
  first: Nanos;
  last: Nanos;
}

/** The worst case of a resource. */
export interface Tile {
  /** "CPU", "Memory", "Disks", "Filesystems", "Network", "Pressure", "Cgroups", "Kernel tables". */
  resource: string;
  dashboard: string;
  utilisation: TileCell;
  saturation: TileCell;
  errors: TileCell;
}

/** A judgement with its worst value. */
export interface TileCell {
  /** "sdb 100 %". */
  text: string;
  state: "ok" | "look" | "broken" | "cannot judge" | "not logged";
  /** The worst value. */
  value?: number;
  unit?: string;
  /** When it was reached. */
  when?: { start: Nanos; end: Nanos };
  /** What is missing for a judgement, or what it is based on. */
  why?: string;
}

/** A finding in one sentence. */
export interface Finding {
  level: "broken" | "look" | "know";
  resource: string;
  text: string;
  start: Nanos;
  end: Nanos;
  /** The rule behind it: "disk busy above 85 % with more than 4 requests in flight, for 2 min". */
  rule: string;
  /** Metrics to look at. */
  metrics: string[];
  /** The dashboard that shows them. */
  dashboard: string;
  /** How often it happened: there is one finding per kind and object. */
  times: number;
  /** Total duration in seconds; absent for a moment. */
  lasted?: number;
  /** The most costly of several occurrences, which text describes. */
  worst?: { start: Nanos; end: Nanos };
  /** All of several occurrences, by time. */
  spans?: { start: Nanos; end: Nanos }[];
  /** Orders findings of a level: duration in seconds times the excess over the limit on a log scale. */
  cost: number;
}

/** How much of a source's time was recorded. */
export interface Recording {
  /** Seconds from start to end, but for those by which the clock of the host was set forward. */
  length: number;
  /** Total seconds of the outages. */
  missing: number;
  /** Periods of at least 5 min without a record that has values, by time. */
  outages: Outage[];
  /** Number of shorter ones, where a logger was restarted or recording was interrupted. */
  pauses: number;
  /** Total seconds of these. */
  paused: number;
  /** A sentence on periods of at least 5 min in which a logger was restarted so often that rates are known for at most half of the time, "" if there were none. */
  restarts: string;
}

/** A period for which nothing was recorded, or its data are missing. */
export interface Outage {
  start: Nanos;
  end: Nanos;
  /** "no values": there are records, but none has a value, as pmlogreduce(1) writes them. */
  why: "between archives" | "missing volume" | "damage" | "no values" | "mark" | "no records";
  /** The files that are missing or damaged. */
  files?: string[];
}

/** Something that happened to the host. */
export interface Event {
  at: Nanos;
  kind: "boot" | "outage" | "clock" | "hardware" | "kernel" | "packages" | "limits";
  text: string;
  /** The metric that shows it; "" for an outage, which lasts until until. */
  metric: string;
  until?: Nanos;
}

/** The series that represents the whole source. */
export interface Pulse {
  /** "CPU busy". */
  name: string;
  /** "" if the source has none. */
  expression: string;
  unit: string;
}

/** A threshold for findings and tiles. */
export interface Rule {
  /** "diskBusy". */
  name: string;
  /** A description. */
  text: string;
  /** The present value for this source. */
  value: number;
  /** The default. */
  usual: number;
  /** "%", "s" and so on. */
  unit: string;
  /** Source of the default. */
  from: string;
  /** The threshold as a file of rules of pmie(1), as rules({ text }) evaluates it; "" if there is none. */
  pmie: string;
  /** Why there is none; otherwise "". */
  why: string;
}

/** Requests the processes at a moment or over a window. */
export interface ProcessQuery {
  source: SourceID;
  /** Default: the end of the source. */
  at?: Nanos | string | Date;
  /** With end: sums over that window, in place of at. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/** CPU time that processes of a command used without being sampled, in percent of one CPU. */
export interface Estimate {
  command: string;
  cpu: number;
  /** Its standard error. */
  error: number;
  /** Number of short-lived processes that were sampled. */
  sampled: number;
}

/** Processes, the busiest first. */
export interface ProcessTable {
  /** Rates are over the time from start to end, of which so many seconds are known: not those between archives and at marks. */
  start: Nanos;
  /** The time of a sample. */
  end: Nanos;
  seconds: number;
  processes: Process[];
  /** How many of these started in this time. */
  started: number;
  /** How many existed at the start but not at the end. */
  ended: number;
  /** The fields of Process for which the source has metrics. */
  columns: string[];
  /** CPU time in percent of one CPU: of the whole machine; of the listed processes; and the difference, used by processes that began and ended between two samples. Null if not logged; the difference also if `hot`. */
  machine: number | null;
  listed: number | null;
  inNoSample: number | null;
  /** An estimate of how inNoSample divides among commands, the largest first, from the short-lived processes that were sampled. */
  estimates: Estimate[];
  /** Of the host, at the end; 0 if not logged. */
  cpus: number;
  /** Only active processes were logged (hotproc): whether one that is gone has ended is not known, and `ended` is 0. */
  hot?: boolean;
}

/** A process. Null where there is no value. */
export interface Process {
  /** Processes that had one PID, one after the other, are listed each; `started` tells them apart. */
  instance: number;
  pid: number;
  command: string;
  /** With arguments; "" for a kernel thread, and where the instance is still named after an earlier process. */
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
  /** Bytes per second. */
  read: number | null;
  /** Bytes per second, less what was deleted before it got to a disk (cancelled), from sample to sample, never below 0. */
  write: number | null;
  /** Faults per second. */
  minor: number | null;
  /** Faults per second. */
  major: number | null;
  threads: number | null;
  nice: number | null;
  /** The CPU on which it last ran. */
  processor: number | null;
  /** PID. */
  parent: number | null;
  /** Bytes. */
  virtual: number | null;
  /** Bytes. */
  swapped: number | null;
  /** Percent of the time waiting for a CPU. */
  waiting: number | null;
  /** Percent of the time waiting for block I/O. */
  blocked: number | null;
  /** Context switches per second because it waited. */
  voluntary: number | null;
  /** Context switches per second because it was preempted. */
  forced: number | null;
  /** Percent of the samples in which it waited for I/O (state D). */
  uninterruptible: number | null;
  /** Percent of the samples in which it ran or could have run (state R). */
  runnable: number | null;
  cgroup: string;
  /** From proc.psinfo.start_time and kernel.all.uptime or kernel.all.boottime. */
  started: Nanos | null;
  /** Started in this time: its rates are since its start. */
  new?: boolean;
  /** Over a window: it no longer existed at its end. */
  ended?: boolean;
}

/** Requests who used a resource over time. */
export interface ConsumerQuery {
  source: SourceID;
  /** "cpu" (default), "memory", "read", "write", "open" files, or one of the other fields of the process table. */
  what?: "cpu" | "memory" | "read" | "write" | "userCPU" | "sysCPU" | "waiting" | "blocked" | "swapped" | "major" | "minor" | "voluntary" | "forced" | "threads" | "uninterruptible" | "runnable" | "files";
  /** "command" (default), "user", "cgroup" or "process". */
  by?: "command" | "user" | "cgroup" | "process";
  /** Number of named consumers. Default 7. */
  top?: number;
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  zone?: string;
}

/** Values for each sample and consumer, to be stacked. */
export interface Consumers {
  start: Nanos;
  /** Times of the samples, seconds after start. */
  times: Float64Array;
  /** "%" of one CPU, "byte" or "byte / sec". */
  units: string;
  /** The largest first; then all others, the estimates of the time in no sample by command, and the rest of that time. */
  series: Consumer[];
  /** Why zeros mean nothing: the collector may not read these counters for other users' processes. */
  unreadable?: string;
}

/** A layer of the stack. */
export interface Consumer {
  name: string;
  kind: "named" | "others" | "estimated" | "in no sample";
  values: Float64Array;
  /** Over time; of sizes and numbers, of the samples. */
  mean: number;
  /** Standard error of the mean, if it is estimated. */
  error?: number;
}

/** Requests what changed between two windows. A missing end is that of the source. */
export interface CompareQuery {
  source: SourceID;
  aStart?: Nanos | string | Date;
  aEnd?: Nanos | string | Date;
  bStart?: Nanos | string | Date;
  bEnd?: Nanos | string | Date;
  /** The source of window B, if it is another one. */
  other?: SourceID;
  zone?: string;
  /** The smallest effect that counts, 0 to 1. Default 0.3. */
  effect?: number;
  /** The smallest shift that counts, of the median or the mean, as a fraction of the larger median. Default 0.1. */
  shift?: number;
  /** Include the CPU time of commands, whichever processes ran them. */
  processes?: boolean;
  /** Number of points of the small charts. Default 40. */
  points?: number;
}

/** What changed, the largest differences first. */
export interface Comparison {
  /** Number of series with values in both windows. */
  compared: number;
  /** Of them, how many are in `changes`, with those listed with each. */
  differ: number;
  changes: Change[];
  /** What has values in only one window, one entry per subject. */
  only: OnlyIn[];
  /** Settings that differ at the ends of the windows. */
  settings: ChangedSetting[];
  /** The windows, as far as there is a recording. */
  a: { start: Nanos; end: Nanos };
  b: { start: Nanos; end: Nanos };
  /** A sentence if there are no changes: none is above the thresholds, or those that are may be chance, or nothing can be compared; "" otherwise. */
  why: string;
}

/** A subject that changed, shown by the series that says most about it. */
export interface Change {
  /** "" for the CPU time of a command. */
  metric: string;
  /** Then: the command, in percent of one CPU. */
  command?: string;
  /** "Disk sdb". */
  subject: string;
  /** How far apart the windows are, on a log scale of differences that matter. */
  score: number;
  instance: { id: number; name: string } | null;
  /** The instance's human-readable name, as in Column. */
  title?: string;
  oneline: string;
  /** The metric's human-readable name from the panel that shows it, "Free memory", or "". */
  name: string;
  /** The unit of the values, if units does not say it: "tasks", "%"; "% of all CPUs" where two hosts have different numbers of CPUs. */
  unit: string;
  /** "CPU and tasks", "Memory", "Disks and filesystems", "Network", "Collector", "Processes" or "Other". */
  family: string;
  units: string;
  medianA: number;
  medianB: number;
  /** Means: bursts change these, and hardly the medians. */
  meanA: number;
  meanB: number;
  /** Hodges-Lehmann: the median of all differences between a value of B and one of A. */
  shift: number;
  /** Ratio of the medians; NaN if medianA is 0. */
  ratio: number;
  /** Cliff's delta, -1 to 1. */
  effect: number;
  samplesA: number;
  samplesB: number;
  /** Fraction of the window with values, 0 to 1. */
  coveredA: number;
  coveredB: number;
  /** For the small charts. */
  a: Float64Array;
  b: Float64Array;
  /** Other series of the subject that changed, "metric[instance]". */
  with: string[];
}

/** What has values in only one window: an instance that appeared or disappeared, or a command that used CPU time in one of them alone. */
export interface OnlyIn {
  /** The one that says most about it; "" for a command. */
  metric: string;
  instance: { id: number; name: string } | null;
  command?: string;
  in: "A" | "B";
  /** Its other series. */
  with: string[];
  /** How many instances of the metric the entry stands for, if there are many; `with` names some of them. */
  instances?: number;
}

/** A setting that differs between two windows: a limit, a governor, the version of a package. */
export interface ChangedSetting {
  metric: string;
  instance: { id: number; name: string } | null;
  /** At the end of window A, and of B; "in byte / sec" for a metric whose units cannot be converted. */
  a: string;
  b: string;
}

/** What to save, and how. */
export interface SaveQuery {
  source: SourceID;
  /** Default: the whole source. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  /** As in Query. */
  zone?: string;
  /** Leave out the last values before the window, without which a counter has no rate at its start. */
  strict?: boolean;
  /** Metric names, or prefixes up to a dot ("disk.dev"). Default: all. */
  metrics?: string[];
  /** Instance names. Default: all. Does not affect singular metrics. */
  instances?: string[];
  /** Format version, 2 or 3. Default: the source's. */
  version?: number;
  /** Maximum size of a data volume in bytes. Default 100 MiB. */
  volumeSize?: number;
  /** Default "none". PCP reads "zstd" since version 7. Loads tables.wasm the first time; not available in Node, with a `worker` of your own, and in the single-file page. */
  compress?: "none" | "zstd";
  /** Default "tar"; "files" returns each file of the archive separately, the metadata last. */
  container?: "tar" | "zip" | "files";
  /** Thins out the data to one value per interval. */
  every?: Nanos | string;
  /** Repairs what PCP's own tools object to: descriptors, encodings, instances without a name. */
  repair?: boolean;
  redact?: Redact;
  /** Base name of the result. */
  name?: string;
}

/** Which texts to replace by pseudonyms. */
export interface Redact {
  /** Kinds not to replace: see Replacement. */
  without?: string[];
  /** Additional words: plain, or a regular expression between slashes. */
  words?: string[];
  /** Key of the pseudonyms, in hexadecimal digits. Default: a random one. The same key gives the same pseudonyms. */
  key?: string;
}

/** What is replaced. */
export interface Redaction {
  key: string;
  /** All kinds, including those without texts and those not replaced. */
  list: Replacement[];
  /** What is not replaced, in one sentence. */
  notLookedAt: string;
}

/** What is replaced of one kind. */
export interface Replacement {
  kind: "hosts" | "domains" | "machines" | "addresses" | "users" | "paths" | "arguments" | "containers" | "labels" | "instances" | "names" | "texts" | "help" | "words";
  /** Description of the kind. */
  title: string;
  /** False for a kind that is not replaced. */
  on: boolean;
  /** Number of distinct texts. */
  texts: number;
  /** Number of occurrences. */
  places: number;
  /** Number of texts that are short or common: they are replaced where they clearly stand for this kind, but not searched for elsewhere. */
  local: number;
  /** Some of the texts, each followed by its pseudonym. */
  examples: string[];
}

/** The result of save. */
export interface Saved {
  files: SavedFile[];
  report: SaveReport;
}

/** Which observations to write as tables, and how. */
export interface ExportQuery {
  source: SourceID;
  /** Default: the whole source. */
  start?: Nanos | string | Date;
  end?: Nanos | string | Date;
  /** As in Query. */
  zone?: string;
  /** Metric names, prefixes up to a dot ("disk.dev"), or expressions. Default: everything logged, and your own derived metrics. */
  metrics?: string[];
  /** Instance names. Default: all. */
  instances?: string[];
  /** Default "parquet". */
  format?: "parquet" | "arrow" | "csv" | "jsonl" | "openmetrics";
  /** Default "tar"; "files" returns each table separately. */
  container?: "tar" | "zip" | "files";
  /** Base name of the result. */
  name?: string;
}

/** The result of exportTables. */
export interface Exported {
  files: SavedFile[];
  report: ExportReport;
}

/** How much was written as tables. */
export interface ExportReport {
  /** Time of the first observation and of the last; those of the window if there is none. */
  start: Nanos;
  end: Nanos;
  series: number;
  /** Number of numeric values, strings, and event records. */
  samples: number;
  strings: number;
  events: number;
  /** What was left out, one sentence each. */
  notes: string[];
}

/** A saved file. */
export interface SavedFile {
  name: string;
  bytes: number;
  data: Blob;
}

/** What a saved archive contains. */
export interface SaveReport {
  /** Time of the first record. */
  start: Nanos;
  end: Nanos;
  records: number;
  /** Number of mark records: between archives, and where data are missing. */
  marks: number;
  metrics: number;
  volumes: number;
  /** What may be unexpected, one sentence each: converted, left out, missing. */
  notes: string[];
  replaced?: Redaction;
}
