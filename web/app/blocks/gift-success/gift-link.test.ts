import { expect, it } from "vitest";
import { giftLink } from "./gift-link";

const origin = "https://stillpoint.example";

it.each([
  ["https://stillpoint.example/en/gift/abc/", "https://stillpoint.example/en/gift/abc/"],
  ["/en/gift/abc/", "https://stillpoint.example/en/gift/abc/"],
  ["https://evil.example/", null],
  ["//evil.example/", null],
  ["/\\evil.example/", null],
  ["javascript:alert(1)", null],
  ["", null],
])("the gift link %s is taken as %s", (url, expected) => {
  expect(giftLink(new URLSearchParams({ url }), origin)).toBe(expected);
});
