import assert from "node:assert/strict";
import test from "node:test";
import { clockHours, clockText, stamp, ticks, timeline, zoneName } from "../static/charts/time.js";

const at = (/** @type {string} */ text) => Date.parse(text) / 1000;

/** The axis of a source that begins at a time, in a zone that is east of Greenwich by so much from times on. */
function axis(/** @type {string} */ origin, /** @type {[number, number][]} */ zone = [], start = 0, end = 3600) {
  Object.assign(timeline, { origin: at(origin), start, end, from: start, to: end, zone: zone.map(([from, east]) => ({ from, east })) });
}

test("ticks stand at round times", () => {
  axis("2026-03-01T12:00:00Z");
  assert.deepEqual(ticks(0, 3600, 700).map((t) => t.text), ["12:00", "12:10", "12:20", "12:30", "12:40", "12:50", "13:00"]);
  assert.deepEqual(ticks(100, 220, 300), [{ at: 120, text: "12:02" }, { at: 180, text: "12:03" }]);
});

test("midnight and whole days say their date", () => {
  axis("2026-03-01T18:00:00Z", undefined, 0, 2 * 86400);
  assert.deepEqual(ticks(0, 86400, 350).map((t) => t.text), ["18:00", "2 Mar", "06:00", "12:00", "18:00"]);
  assert.deepEqual(ticks(0, 3 * 86400, 300).map((t) => t.text), ["2 Mar", "3 Mar", "4 Mar"]);
});

test("clocks are those of the host, on both sides of a change of its clock", () => {
  const change = at("2026-03-29T01:00:00Z") - at("2026-03-29T00:00:00Z");
  axis("2026-03-29T00:00:00Z", [[-1e15, 3600], [change, 7200]]); // Berlin, that night
  assert.equal(clockText(0), "01:00:00");
  assert.equal(clockText(3599), "01:59:59");
  assert.equal(clockText(3600), "03:00:00");
  assert.equal(zoneName(0), "UTC+1");
  assert.equal(zoneName(3600), "UTC+2");
});

test("hours of a day are those of the clock, also on a day on which it is set", () => {
  const spring = at("2026-03-29T01:00:00Z") - at("2026-03-28T23:00:00Z");
  axis("2026-03-28T23:00:00Z", [[-1e15, 3600], [spring, 7200]]); // Berlin, from midnight on
  assert.equal(clockHours(0, 1.5 * 3600), 1.5);
  assert.equal(clockHours(0, at("2026-03-29T13:00:00Z") - timeline.origin), 15);
  assert.equal(clockHours(0, at("2026-03-29T22:00:00Z") - timeline.origin), 24);
  const autumn = at("2026-10-25T01:00:00Z") - at("2026-10-24T22:00:00Z");
  axis("2026-10-24T22:00:00Z", [[-1e15, 7200], [autumn, 3600]]);
  assert.equal(clockHours(0, at("2026-10-25T22:30:00Z") - timeline.origin), 23.5);
  axis("2023-09-03T04:00:00Z", [[-1e15, -14400], [0, -10800]]); // in Chile the day begins at 01:00
  assert.equal(clockHours(0, 3600), 2);
});

test("the hour that is repeated when a clock is set back says which it is", () => {
  const change = at("2026-10-25T01:00:00Z") - at("2026-10-24T23:00:00Z");
  axis("2026-10-24T23:00:00Z", [[-1e15, 7200], [change, 3600]], 0, 4 * 3600); // Berlin, that night
  assert.equal(clockText(3599), "01:59:59");
  assert.equal(clockText(3600), "02:00:00 UTC+2");
  assert.equal(clockText(7199), "02:59:59 UTC+2");
  assert.equal(clockText(7200), "02:00:00 UTC+1");
  assert.equal(clockText(10799), "02:59:59 UTC+1");
  assert.equal(clockText(10800), "03:00:00");
  assert.deepEqual(ticks(0, 14400, 350).map((t) => t.text), ["01:00", "02:00", "02:00 UTC+1", "03:00", "04:00"]);
  axis("2026-03-29T00:00:00Z", [[-1e15, 3600], [3600, 7200]], 0, 7200); // and when it is put forward
  assert.deepEqual(ticks(0, 7200, 350).map((t) => t.text), ["01:00", "01:30", "03:00 UTC+2", "03:30", "04:00"]);
});

test("zones west of Greenwich, and those of half an hour, have their names", () => {
  axis("2026-03-01T00:00:00Z", [[-1e15, -4 * 3600]]);
  assert.equal(zoneName(0), "UTC\u22124");
  axis("2026-03-01T00:00:00Z", [[-1e15, 5.5 * 3600]]);
  assert.equal(zoneName(0), "UTC+5:30");
});

test("stamps are RFC 3339, to the nanosecond as far as it is known", () => {
  axis("2023-11-14T22:13:20Z");
  assert.equal(stamp(0), "2023-11-14T22:13:20Z");
  assert.equal(stamp(0.5), "2023-11-14T22:13:20.5Z");
  assert.equal(stamp(-0.25), "2023-11-14T22:13:19.75Z");
  axis("2023-11-14T22:13:20Z", [[-1e15, -(3 * 3600 + 1800)]]);
  assert.equal(stamp(0), "2023-11-14T18:43:20-03:30");
});

test("short windows have milliseconds, long sources the date", () => {
  axis("2026-03-01T12:00:00Z", undefined, 0, 10);
  assert.equal(clockText(1.25), "12:00:01.250");
  axis("2026-03-01T12:00:00Z", undefined, 0, 2 * 86400);
  assert.equal(clockText(1.25), "1 Mar 12:00:01");
  axis("2026-03-01T12:00:00Z");
  assert.equal(clockText(1.0625, 3), "12:00:01.063");
});

test("what is of several years says which", () => {
  axis("2021-12-14T22:00:00Z", undefined, 0, 700 * 86400);
  assert.deepEqual(ticks(0, 700 * 86400, 400).map((t) => t.text), ["28 Apr 2022", "27 Oct 2022", "27 Apr 2023", "26 Oct 2023"]);
  assert.deepEqual(ticks(0, 700 * 86400, 1100).map((t) => t.text), ["17 Feb 2022", "9 Jun 2022", "29 Sep 2022", "19 Jan 2023", "11 May 2023", "31 Aug 2023"]);
  assert.deepEqual(ticks(50 * 86400, 54 * 86400, 350).map((t) => t.text), ["3 Feb", "4 Feb", "5 Feb", "6 Feb"]);
  assert.equal(clockText(0), "14 Dec 2021 22:00:00");
});
