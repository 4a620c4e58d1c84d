// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { MarketingProvider } from "~/lib/links/marketing";
import type { Locale } from "~/lib/locale";
import { TrustedHtml } from "../prose/trusted-html";
import { LegalLink } from "./legal-link";

const MARKETING = "https://m.example";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** The footer has the link, a form has it within its consent. */
function show(locale: Locale, country: string) {
  localStorage.setItem("country", country);
  // The country is the visitor's own, except on Turkish offers: the address names those.
  history.replaceState(null, "", `/${locale}/`);
  render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <MarketingProvider value={MARKETING}>
        <MemoryRouter initialEntries={[`/${locale}/`]}>
          <LegalLink url="/terms-and-conditions">Terms</LegalLink>
          <TrustedHtml html={'<a href="/privacy-policy">Privacy</a>'} />
        </MemoryRouter>
      </MarketingProvider>
    </TextsProvider>,
  );
}

it.each([
  ["en", "US", "/en/terms-and-conditions/", "/en/privacy-policy/"],
  ["en", "DE", "/eu/terms/", "/eu/privacy-policy/"],
  ["en", "GB", "/eu/terms/", "/eu/privacy-policy/"],
  ["tr", "TR", "/tr/terms-and-conditions/", "/tr/privacy-policy/"],
  ["tr", "NL", "/eu/terms/", "/eu/privacy-policy/"],
  ["ja", "JP", "/en/terms-and-conditions/", "/en/privacy-policy/"],
] as const)(
  "readers of %s in %s are led to %s and %s, by a link and by one within words",
  async (locale, country, ...paths) => {
    show(locale, country);
    const hrefs = () =>
      ["Terms", "Privacy"].map((name) =>
        screen.getByRole("link", { name: new RegExp(`^${name}`) }).getAttribute("href"),
      );
    await waitFor(() => expect(hrefs()).toEqual(paths.map((path) => MARKETING + path)));
  },
);
