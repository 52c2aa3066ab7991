import assert from "node:assert/strict";
import test from "node:test";
import { isTame } from "../static/charts/pattern.js";

test("expressions that people type are run", () => {
  for (const text of ["sd[a-c]", "^cpu\\d+$", "eth.*|wlan.*", "(sda|sdb)", "a{2,3}"]) assert.equal(isTame(text), true, text);
});

test("expressions that may take exponential time are not", () => {
  for (const text of ["(a+)+", "(a|a)*b", "(x){9}", "a*a*a*a*", "(a?)?", "x".repeat(200)]) assert.equal(isTame(text), false, text);
});
