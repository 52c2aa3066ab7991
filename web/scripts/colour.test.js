import assert from "node:assert/strict";
import test from "node:test";
import { mix, thin } from "../static/charts/paint.js";

test("a colour becomes translucent", () => {
  assert.equal(thin("rgb(1, 2, 3)", 0.25), "rgba(1, 2, 3, 0.25)");
});

test("a mix has the given share of the first colour", () => {
  assert.equal(mix("rgb(100, 0, 200)", "rgb(0, 100, 100)", 0.25), "rgb(25, 75, 125)");
  assert.equal(mix("rgb(1, 2, 3)", "rgb(4, 5, 6)", 1), "rgb(1, 2, 3)");
});
