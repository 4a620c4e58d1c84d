// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { isTurkishOffer, knownCountry, offerLanguage, visitorCountry } from "./country";

const answering = (response: Response) => {
  const fetch = vi.fn(async () => response);
  vi.stubGlobal("fetch", fetch);
  return fetch;
};

describe("the visitor's country", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
    history.replaceState(null, "", "/");
  });

  it("is requested once and stored", async () => {
    const fetch = answering(Response.json({ countryCode: "FR" }));
    expect(knownCountry()).toBe("");
    expect(await Promise.all([visitorCountry(), visitorCountry()])).toEqual(["FR", "FR"]);
    expect(await visitorCountry()).toBe("FR");
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(localStorage.getItem("country")).toBe("FR");
  });

  it("is not requested when it is stored", async () => {
    const fetch = answering(Response.json({ countryCode: "FR" }));
    localStorage.setItem("country", "JP");
    expect(await visitorCountry()).toBe("JP");
    expect(offerLanguage("ja")).toBe("ja");
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    ["/tr/plans/", "TR"],
    ["/en/plans/", "US"],
  ])("is guessed from the language of %s without a response, and not stored", async (path, country) => {
    answering(new Response(null, { status: 503 }));
    history.replaceState(null, "", path);
    expect(await visitorCountry()).toBe(country);
    expect(localStorage.getItem("country")).toBeNull();
  });

  it.each(["/en/payment/teb40/", "/de/payment/turkcell/", "/ja/payment/cdc25/", "/en/offers/TEB40/"])(
    "is Türkiye on %s, and the price is requested in Turkish",
    async (path) => {
      localStorage.setItem("country", "DE");
      history.replaceState(null, "", path);
      expect(await visitorCountry()).toBe("TR");
      expect(offerLanguage("en")).toBe("tr");
    },
  );

  it("is the visitor's own on other payment pages", async () => {
    localStorage.setItem("country", "DE");
    history.replaceState(null, "", "/en/payment/annual/");
    expect(await visitorCountry()).toBe("DE");
    expect(offerLanguage("en")).toBe("en");
  });

  it("is Türkiye on a Turkish offer, whatever is stored", async () => {
    localStorage.setItem("country", "DE");
    history.replaceState(null, "", "/en/offers/Turkcell/");
    expect(await visitorCountry()).toBe("TR");
    expect(offerLanguage("en")).toBe("tr");
    expect(isTurkishOffer("/tr/offers/cDC25/")).toBe(true);
    expect(isTurkishOffer("/en/offers/cDC25/")).toBe(false);
    expect(localStorage.getItem("country")).toBe("DE");
  });
});
