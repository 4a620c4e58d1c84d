import { describe, expect, it } from "vitest";
import { exponentOf, formatMoney, fromMajor, perPart } from "./money";

describe("money", () => {
  it.each([
    ["USD", 2],
    ["JPY", 0],
    ["KRW", 0],
    ["SAR", 2],
  ])("%s has %i decimals", (currency, exponent) => {
    expect(exponentOf(currency)).toBe(exponent);
  });

  it.each([
    [59.9, "USD", 5990],
    [0.29, "EUR", 29],
    [1.15, "EUR", 115],
    [1200, "JPY", 1200],
    [4.35, "USD", 435],
  ])("%d %s is %i minor units", (major, currency, minor) => {
    expect(fromMajor(major, currency).minor).toBe(minor);
  });

  it("divides to the minor unit, half up", () => {
    expect(perPart(fromMajor(69.99, "USD"), 12).minor).toBe(583);
    expect(perPart(fromMajor(120, "USD"), 12).minor).toBe(1000);
    expect(perPart(fromMajor(7800, "JPY"), 12).minor).toBe(650);
    expect(perPart(fromMajor(10, "USD"), 0).minor).toBe(1000);
  });

  it.each([
    ["en", "USD", 59.99, "$59.99"],
    ["en", "USD", 120, "$120"],
    ["tr", "TRY", 1199.5, "1.199,50\u00a0₺"],
    ["tr", "TRY", 0, "0\u00a0₺"],
    ["de", "EUR", 69.99, "69,99\u00a0€"],
    ["pt", "BRL", 199.9, "R$\u00a0199,90"],
    ["ru", "RUB", 2490, "2\u00a0490\u00a0₽"],
    ["ja", "JPY", 7800, "￥7,800"],
    ["ko", "KRW", 79_000, "₩79,000"],
    ["es", "MXN", 1099, "$1,099"],
  ] as const)("in %s, %s %d reads %s", (locale, currency, major, text) => {
    expect(formatMoney(fromMajor(major, currency), locale)).toBe(text);
  });

  it("keeps Arabic amounts readable from right to left", () => {
    expect(formatMoney(fromMajor(239.99, "SAR"), "ar")).toContain("239.99");
    expect(formatMoney(fromMajor(239.99, "SAR"), "ar")).toContain("ر.س");
    // Without the mark the sign would be on the other side of its letters.
    expect(formatMoney(fromMajor(12.99, "USD"), "ar")).toMatch(/US\$\u200e$/);
  });
});
