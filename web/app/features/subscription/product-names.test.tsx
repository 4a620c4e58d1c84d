// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { LOCALES, type Locale } from "~/lib/locale";
import { useProductName } from "./subscription-texts";

const CATALOGUE = readFileSync("../deploy/seed/campaigns/products.yaml", "utf8");
const sold = [...CATALOGUE.matchAll(/^ {2}- code: (\S+)$/gm)].map(([, code = ""]) => code);

function nameOf(product: string, locale: Locale): string {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      {children}
    </TextsProvider>
  );
  return renderHook(() => useProductName(), { wrapper }).result.current({ product });
}

describe("the names of products", () => {
  it("are read from the catalogue", () => {
    expect(sold).toContain("premium-lifetime");
    expect(sold.length).toBe(CATALOGUE.match(/\bcode:/g)?.length);
  });

  it.each(LOCALES)("name every product that is sold, in %s", (locale) => {
    for (const product of sold) {
      const name = nameOf(product, locale);
      expect(name, product).not.toBe("Stillpoint");
      expect(name, product).not.toContain("subscription.");
    }
  });

  it("differ by product; premium has one name, however it is paid", () => {
    const names = new Map(sold.map((product) => [product, nameOf(product, "en")]));
    expect(names.get("premium-lifetime")).toBe(names.get("premium"));
    expect(new Set(names.values()).size).toBe(sold.length - 1);
  });

  it("fall back to the company for an unknown product", () => {
    expect(nameOf("retired", "en")).toBe("Stillpoint");
  });
});
