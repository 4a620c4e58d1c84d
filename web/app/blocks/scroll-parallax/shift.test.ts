import { expect, it } from "vitest";
import { shiftOf } from "./shift";

it.each([
  { at: 400, percentage: 30, shift: 0 },
  { at: 800, percentage: 30, shift: 15 },
  { at: 0, percentage: 30, shift: -15 },
  { at: 800, percentage: 500, shift: 50 },
  { at: 90_000, percentage: 100, shift: 100 },
  { at: -90_000, percentage: 100, shift: -100 },
  { at: 90_000, percentage: -100, shift: -100 },
])("at $at of 800 with $percentage % it is moved by $shift %", ({ at, percentage, shift }) => {
  expect(shiftOf(at, 800, percentage)).toBeCloseTo(shift);
});
