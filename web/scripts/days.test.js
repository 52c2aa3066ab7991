import assert from "node:assert/strict";
import test from "node:test";
import { cellText } from "../static/charts/days.js";

/** @import { Days } from "../canvas/canvas.d.ts" */

test("an hour that a clock put forward leaves out is not one without records", () => {
  const average = new Float64Array(24).fill(1), covered = new Float64Array(24).fill(1), none = new Float64Array(168).fill(NaN);
  average[2] = covered[2] = average[4] = NaN; // as core/days.go has them: no such hour, and no records
  covered[4] = 0;
  const d = /** @type {Days} */ (/** @type {unknown} */ ({ names: ["Sun 31 Mar"], weekdays: new Float64Array(1), factor: 1, decimals: 0, unit: "%", average, minimum: average, maximum: average, covered, p10: none, p90: none }));
  assert.equal(cellText(d, 0, 2), "Sun 31 Mar 02:00: no such hour, the clock was put forward");
  assert.equal(cellText(d, 0, 4), "Sun 31 Mar 04:00: nothing recorded");
  assert.match(cellText(d, 0, 3), /^Sun 31 Mar 03:00: mean 1 %/);
});
