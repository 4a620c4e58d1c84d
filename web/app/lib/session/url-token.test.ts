// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { clearUrlToken, takeUrlTokens, urlToken } from "./url-token";

const arrive = (address: string) => {
  history.replaceState({ key: "first" }, "", address);
  takeUrlTokens();
};

describe("a token in the URL", () => {
  afterEach(clearUrlToken);

  it("is removed at once, and the rest of the URL stays", () => {
    arrive("/en/forgot-password/?token=secret&utm_source=mail#help");
    expect(location.href).toBe(`${location.origin}/en/forgot-password/?utm_source=mail#help`);
    expect(history.state).toEqual({ key: "first" });
    expect(urlToken("/en/forgot-password/")).toBe("secret");
  });

  it("is available on its own page only, and not after use", () => {
    arrive("/en/forgot-password/?token=secret");
    expect(urlToken("/en/payment/annual/")).toBeNull();
    clearUrlToken();
    expect(urlToken("/en/forgot-password/")).toBeNull();
  });

  it("leaves a URL without one unchanged", () => {
    arrive("/en/signin/?redirectPage=%2Fen%2Fpayment%2Fannual%2F");
    expect(location.search).toBe("?redirectPage=%2Fen%2Fpayment%2Fannual%2F");
    expect(urlToken("/en/signin/")).toBeNull();
  });
});
