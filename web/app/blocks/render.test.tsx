import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import type { Locale } from "~/lib/locale";
import { MARK_FAILURE_SCRIPT, MARK_RETURN_SCRIPT } from "~/lib/payment/payment-return";
import { present } from "./presenting/presenters.server";
import { Blocks } from "./render";
import { samples } from "./samples";
import type { SectionView } from "./types";

async function draw(sections: SectionView[], locale: Locale): Promise<string> {
  const router = createMemoryRouter([{ path: "*", element: <Blocks sections={sections} /> }], {
    initialEntries: [`/${locale}/`],
  });
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <TextsProvider locale={locale} catalogue={catalogues[locale]}>
        <RouterProvider router={router} />
      </TextsProvider>,
      {
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        onAllReady: () => {
          const body = new PassThrough();
          pipe(body);
          resolve(text(body));
        },
        onError: reject,
      },
    );
  });
}

describe("on the server", () => {
  it.each(["en", "ar"] as const)(
    "every block is in the first HTML in %s, without inline styles or third-party scripts",
    async (locale) => {
      const sections = samples.map((sample) => present(sample, { locale, template: "Home" }));
      const html = await draw(sections, locale);
      expect(html).toContain("Find the still point");
      expect(html).toContain("Is it hard?");
      expect(html).toContain("5.83");
      expect(html).toContain("<form");
      expect(html).not.toMatch(/\sstyle="/);
      // Except the inline scripts that mark a payment return.
      const scripts = [MARK_RETURN_SCRIPT, MARK_FAILURE_SCRIPT].map((script) => `<script>${script}</script>`);
      const others = scripts.reduce((rest, script) => rest.replaceAll(script, ""), html);
      expect(others).not.toContain("<script");
    },
  );

  it("the same seed draws the same picture", async () => {
    const hero = samples
      .filter((sample) => sample.__typename === "Hero")
      .map((sample) => present(sample, { locale: "en", template: "Home" }));
    expect(await draw(hero, "en")).toBe(await draw(hero, "en"));
  });
});

describe("an unknown kind", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("is reported once and does not affect the others", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    vi.stubEnv("DEV", false);
    const stranger = { __typename: "Hologram", id: "h" } as unknown as SectionView;
    const heading = samples
      .filter((sample) => sample.__typename === "Heading")
      .map((sample) => present(sample, { locale: "en", template: "Page" }));
    const html = await draw([stranger, ...heading, { ...stranger, id: "h2" }], "en");
    expect(html).toContain("A quiet heading");
    expect(html).not.toMatch(/>[^<]*Hologram/);
    expect(warn).toHaveBeenCalledOnce();
    vi.unstubAllEnvs();
  });
});
