import { describe, expect, it } from "vitest";
import { isWrongCode, plainCode } from "./code";

describe("a code", () => {
  it.each([
    [" 123 456 ", "123456"],
    ["١٢٣٤٥٦", "123456"],
    ["۱۲۳۴۵۶", "123456"],
    ["１２３４５６", "123456"],
    ["abcd-efgh", "abcd-efgh"],
    ["", ""],
  ])("%j is sent as %j", (typed, sent) => expect(plainCode(typed)).toBe(sent));

  it("is wrong by either form of the refusal", () => {
    const problem = { status: 422, code: "VALIDATION_FAILED", detail: "", errors: [], retryAfterSecs: null };
    expect(isWrongCode(problem)).toBe(false);
    expect(isWrongCode({ ...problem, code: "SECOND_FACTOR_WRONG" })).toBe(true);
    const errors = [{ field: "code", code: "SECOND_FACTOR_WRONG", message: "" }];
    expect(isWrongCode({ ...problem, errors })).toBe(true);
  });
});
