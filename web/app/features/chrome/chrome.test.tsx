// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { button } from "~/blocks/samples/parts";
import type { FooterRecordFragment, NavigationRecordFragment } from "~/gen/graphql";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { MarketingProvider } from "~/lib/links/marketing";
import { type Locale, localeOf } from "~/lib/locale";
import { MenuLink } from "./menu/menu-link";
import { SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";

const image = { url: "/favicon.svg", alt: "Stillpoint", width: 32, height: 32 };

const item = (id: string, links: string[] = []) => ({
  id,
  category: `The ${id}`,
  categoryUrl: `/${id}`,
  noFollow: false,
  subCategory: links.length > 0 ? [{ name: "Group", links: links.map(linkTo) }] : [],
});

const linkTo = (url: string) => ({ text: url, url, noFollow: false });

const navigation: NavigationRecordFragment = {
  logo: image,
  homePageLogo: null,
  isMenu: true,
  menu: [item("one", ["/one/a"]), item("two")],
  isNavigationButtons: true,
  navigationButtons: [{ ...button, text: "Try free" }],
  mobileMenuButtons: [],
  textColor: null,
  backgroundColor: null,
};

const footer: FooterRecordFragment = {
  logo: image,
  quote: "Be still.",
  socialUrls: {
    instagram: "https://i.example/",
    facebook: "https://f.example/",
    telegram: "https://t.example/",
    youtube: "https://y.example/",
    linkedin: null,
    x: null,
  },
  appStore: { url: "https://ios.example/", image: null },
  playStore: { url: "https://android.example/", image: { ...image, url: "/badge.svg", alt: "On Google Play" } },
  linkGroups: [
    { name: "Product", links: [linkTo("/a")] },
    { name: "Company", links: [linkTo("/b")] },
  ],
  termsAndPolicy: [linkTo("https://site.example/en/terms-and-conditions/"), linkTo("/privacy-policy")],
  legal: null,
};

interface Scene {
  locale?: Locale;
  path?: string;
  marketingBaseUrl?: string;
}

function onPage(chrome: React.ReactNode, { locale = "en", path = "", marketingBaseUrl }: Scene = {}) {
  const url = `/${locale}/${path}`;
  return (
    <TextsProvider locale={locale} catalogue={catalogues[localeOf(url)]}>
      <MarketingProvider value={marketingBaseUrl ?? null}>
        <MemoryRouter initialEntries={[url]}>{chrome}</MemoryRouter>
      </MarketingProvider>
    </TextsProvider>
  );
}

/** The server-rendered HTML; browser behaviour is tested in e2e. */
function show(chrome: React.ReactNode, scene?: Scene) {
  document.body.innerHTML = renderToStaticMarkup(onPage(chrome, scene));
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const header = (change: Partial<NavigationRecordFragment> = {}, pageType = "home") => (
  <SiteHeader
    navigation={{ ...navigation, ...change }}
    stores={footer}
    pageType={pageType}
    isHome={false}
    quiet={false}
  />
);

/** Includes links in closed panels. */
const hrefs = () => [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));

describe("the menu", () => {
  it.each([
    [5, "grid-cols-6"],
    [6, "grid-cols-7"],
  ])("of %i items has %s", (count, columns) => {
    show(header({ menu: Array.from({ length: count }, (_, index) => item(`i${index}`, ["/x"])) }));
    const panels = [...document.querySelectorAll("[popover] > .grid-cols-6, [popover] > .grid-cols-7")];
    expect(panels).toHaveLength(count);
    expect(panels.every((panel) => panel.classList.contains(columns))).toBe(true);
  });

  it("is absent when content has none", () => {
    show(header({ isMenu: false }));
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("links to our pages with one trailing slash, and keeps URLs with a scheme", () => {
    show(header({ menu: [item("one", ["/one/a", "/one/b/", "https://shop.example/x"])] }));
    expect(hrefs()).toEqual(expect.arrayContaining(["/en/one/", "/en/one/a/", "/en/one/b/", "https://shop.example/x"]));
  });

  it("marks the current page", () => {
    show(header(), { path: "two/" });
    expect(screen.getAllByRole("link", { name: "The two" })[0]?.getAttribute("aria-current")).toBe("page");
    show(header(), { path: "one/a/" });
    expect(screen.getAllByRole("button", { name: "The one" })[0]?.getAttribute("aria-current")).toBe("true");
  });
});

describe("a menu link", () => {
  const press = (url: string, modifier = {}) => {
    const replace = vi.fn();
    vi.stubGlobal("location", { replace });
    render(
      <MemoryRouter initialEntries={["/en/"]}>
        <MenuLink url={url} noFollow>
          Press
        </MenuLink>
      </MemoryRouter>,
    );
    const isLeftToTheBrowser = fireEvent.click(screen.getByRole("link"), modifier);
    return { replaced: replace.mock.calls.flat(), isLeftToTheBrowser };
  };

  it("with https:/ anywhere in its URL replaces the page", () => {
    expect(press("https://shop.example/x").replaced).toEqual(["https://shop.example/x"]);
    cleanup();
    expect(press("/go?to=https:/shop.example").replaced).toEqual([
      expect.stringMatching(/\/en\/go\/\?to=https:\/shop\.example$/),
    ]);
  });

  it("opens in a new tab with a modifier key", () => {
    expect(press("https://shop.example/x", { ctrlKey: true })).toEqual({ replaced: [], isLeftToTheBrowser: true });
  });

  it("to our own page navigates instead of replacing", () => {
    expect(press("/pricing")).toEqual({ replaced: [], isLeftToTheBrowser: false });
  });
});

describe("the header bar", () => {
  it("has a border at 81 pixels, not at 80", () => {
    vi.stubGlobal("fetch", async () => Response.json({}, { status: 401 }));
    vi.stubGlobal("scrollY", 80);
    render(onPage(header({ isMenu: false })));
    const isScrolled = () => screen.getByRole("banner").hasAttribute("data-scrolled");
    expect(isScrolled()).toBe(false);
    vi.stubGlobal("scrollY", 81);
    fireEvent.scroll(window);
    expect(isScrolled()).toBe(true);
  });

  it("shows the app button to the partner's members only", () => {
    show(header({}, "gympass"));
    expect(screen.getByRole("button", { name: "Get the app" })).toBeTruthy();
    expect(hrefs()).toEqual(expect.arrayContaining(["https://ios.example/", "https://android.example/"]));
    show(header({}, "home"));
    expect(screen.queryByRole("button", { name: "Get the app" })).toBeNull();
  });

  it("has the colours of content while its text is readable", () => {
    show(header({ backgroundColor: "#22533b", textColor: "#ffffff" }));
    expect(screen.getByRole("banner").className).toContain("on-night");
    expect(screen.getByRole("banner").className).toContain("paint_ink-xffffff_ground-x22533b");
    show(header({ backgroundColor: "#ffffff" }));
    expect(screen.getByRole("banner").className).toContain("on-day");
    show(header({ backgroundColor: "#7d7a8c" }));
    expect(screen.getByRole("banner").className).toContain("bg-paper");
    show(header({ backgroundColor: "red;}" }));
    expect(screen.getByRole("banner").className).toContain("bg-paper");
  });
});

describe("the language switcher", () => {
  const offered = () =>
    [...document.querySelectorAll("a[hreflang]")].map((link) => [
      link.getAttribute("hreflang"),
      link.getAttribute("href"),
      link.getAttribute("target"),
    ]);

  it("lists every language except the current one, Azerbaijani, Danish and Polish", () => {
    show(<SiteFooter footer={footer} quiet />, { locale: "ja" });
    expect(offered().map(([language]) => language)).toEqual("en tr ar es fr de it pt ru ko".split(" "));
  });

  it("links six languages to the marketing site, and the others within this site", () => {
    show(<SiteFooter footer={footer} quiet />, { locale: "ja", marketingBaseUrl: "https://m.example" });
    expect(offered()).toEqual([
      ["en", "https://m.example/en/", "_blank"],
      ["tr", "https://m.example/tr/", "_blank"],
      ["ar", "/ar/", null],
      ["es", "https://m.example/es/individuals/", "_blank"],
      ["fr", "https://m.example/fr/individuals/", "_blank"],
      ["de", "https://m.example/de/individuals/", "_blank"],
      ["it", "/it/", null],
      ["pt", "https://m.example/pt/individuals/", "_blank"],
      ["ru", "/ru/", null],
      ["ko", "/ko/", null],
    ]);
  });

  it("stores the chosen language", () => {
    render(onPage(<SiteFooter footer={footer} quiet />, { locale: "en", marketingBaseUrl: "https://m.example" }));
    const link = document.querySelector('a[hreflang="tr"]');
    if (!link) throw new Error("Turkish is not offered");
    fireEvent.click(link);
    expect(document.cookie).toContain("locale=tr");
  });

  it("keeps all languages on this site without a marketing site", () => {
    show(<SiteFooter footer={footer} quiet />);
    expect(offered().every(([language, href]) => href === `/${language}/`)).toBe(true);
  });
});

describe("the footer", () => {
  it("shows the company, the app stores, and a column for each group", () => {
    show(<SiteFooter footer={footer} quiet={false} />);
    expect(screen.getByText("Be still.")).toBeTruthy();
    expect(screen.getByText("Stillpoint")).toBeTruthy();
    expect(hrefs()).toEqual(expect.arrayContaining(["https://ios.example/", "https://android.example/"]));
    expect(screen.getByRole("img", { name: "On Google Play" })).toBeTruthy();
    expect(screen.getByRole("navigation").children).toHaveLength(2);
  });

  it("shows Telegram on Russian pages, and the other networks elsewhere", () => {
    const networks = () => hrefs().filter((href) => /^https:\/\/[ifty]\.example/.test(href ?? ""));
    show(<SiteFooter footer={footer} quiet={false} />, { locale: "ru" });
    expect(networks()).toEqual(["https://t.example/"]);
    show(<SiteFooter footer={footer} quiet={false} />);
    expect(networks()).toEqual(["https://i.example/", "https://f.example/", "https://y.example/"]);
  });

  it.each([
    ["tr", ["https://m.example/tr/terms-and-conditions/", "https://m.example/tr/privacy-policy/"]],
    ["ja", ["https://m.example/en/terms-and-conditions/", "https://m.example/en/privacy-policy/"]],
  ] as const)("links readers of %s to the legal texts of the marketing site", (locale, expected) => {
    show(<SiteFooter footer={footer} quiet />, { locale, marketingBaseUrl: "https://m.example" });
    expect(hrefs().slice(0, 2)).toEqual(expected);
  });
});
