import { describe, expect, it } from "vitest";
import { advance, destination, isComplete } from "./progress";

describe("the progress", () => {
  it.each([
    { from: 0, messages: 4, chance: 0.5, to: 25 },
    { from: 0, messages: 4, chance: 0, to: 21 },
    { from: 0, messages: 4, chance: 0.999, to: 29 },
    { from: 90, messages: 4, chance: 0.5, to: 100 },
    { from: 0, messages: 0, chance: 0.5, to: 100 },
  ])("goes from $from with $messages messages to $to", ({ from, messages, chance, to }) => {
    expect(advance(from, messages, chance)).toBe(to);
  });

  it("ends at a hundred", () => {
    expect([99, 100].map(isComplete)).toEqual([false, true]);
  });

  it("is complete for any random values", () => {
    for (const chance of [0, 0.999]) {
      let progress = 0;
      let ticks = 0;
      while (!isComplete(progress)) {
        progress = advance(progress, 4, chance);
        ticks += 1;
      }
      expect(ticks).toBeLessThanOrEqual(5);
    }
  });
});

describe("the destination", () => {
  it.each([
    { query: "", to: "/en/your-program/" },
    { query: "email=a@b.example", to: "/en/your-program/" },
    { query: "orderid=o1&utm_source=x", to: "/en/your-program/?orderid=o1" },
    { query: "orderid=o1&email=a@b.example", to: "/en/your-program/?orderid=o1&email=a%40b.example" },
  ])("with ?$query is $to", ({ query, to }) => {
    expect(destination("/en/your-program/", new URLSearchParams(query))).toBe(to);
  });
});
