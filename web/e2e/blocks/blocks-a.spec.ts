import type { Locator, Page } from "@playwright/test";
import { openKind } from "../support/gallery.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

/** Heroes, words, people and small parts, one kind at a time as the gallery shows them. */

const block = (page: Page, id: string) => page.locator(`[id="${id}"]`);

/** Where the middle of it stands, from the side one begins to read from. */
async function middle(part: Locator): Promise<number> {
  return part.evaluate((node) => {
    const { x, width } = node.getBoundingClientRect();
    const fromLeft = x + width / 2;
    return document.documentElement.dir === "rtl" ? innerWidth - fromLeft : fromLeft;
  });
}

test.describe("testimonials", () => {
  const slides = (page: Page) => block(page, "words").getByRole("listitem");
  const dots = (page: Page) => block(page, "words").getByRole("button", { name: /^Show/ });

  test("come round past both ends, and none is there twice", async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await openKind(page, "Testimonials");
    const previous = block(page, "words").getByRole("button", { name: "Previous" });
    const next = block(page, "words").getByRole("button", { name: "Next" });
    await alive(next);
    await previous.click();
    await expect(slides(page).last()).toBeInViewport({ ratio: 0.6 });
    await expect(dots(page).last()).toHaveAttribute("aria-current", "true");
    await next.click();
    await expect(slides(page).first()).toBeInViewport({ ratio: 0.6 });
    await expect(dots(page).first()).toHaveAttribute("aria-current", "true");
    await expect(slides(page)).toHaveCount(3);
    await expect(dots(page)).toHaveCount(3);
  });

  test("have arrows where there is a mouse, and are swiped on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await openKind(page, "Testimonials");
    await expect(block(page, "words").getByRole("button", { name: /Previous|Next/ })).toHaveCount(0);
    await alive(dots(page).first());
    await block(page, "words")
      .getByRole("list")
      .evaluate((track) => track.scrollBy({ left: track.clientWidth }));
    await expect(dots(page).nth(1)).toHaveAttribute("aria-current", "true");
    await page.setViewportSize({ width: 1280, height: 812 });
    await expect(block(page, "words").getByRole("button", { name: /Previous|Next/ })).toHaveCount(2);
  });
});

test.describe("questions", () => {
  const question = (page: Page) => page.getByText("Is it hard?", { exact: true });
  const answer = (page: Page) => page.getByText("Everybody wanders off.");

  test("open and close by mouse and by keyboard", async ({ page }) => {
    await openKind(page, "Accordion");
    await expect(answer(page)).toBeHidden();
    await question(page).click();
    await expect(answer(page)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(answer(page)).toBeHidden();
  });

  test.describe("without scripts", () => {
    test.use({ javaScriptEnabled: false });

    test("open all the same", async ({ page }) => {
      await page.goto("/en/gallery/Accordion/");
      await question(page).click();
      await expect(answer(page)).toBeVisible();
    });
  });
});

test.describe("what an editor coloured", () => {
  test("is a button in its colours, or in ours where its own are illegible", async ({ page }) => {
    await openKind(page, "ButtonRow");
    const green = page.getByRole("link", { name: "Give a calm year" });
    await expect(green).toHaveCSS("background-color", "rgb(34, 83, 59)");
    await expect(green).toHaveCSS("color", "rgb(255, 255, 255)");
    expect((await green.boundingBox())?.width).toBe(280);
    const framed = page.getByRole("link", { name: "Choose a card" });
    await expect(framed).toHaveCSS("border-color", "rgb(8, 78, 65)");
    await expect(page.getByRole("link", { name: "Letters nobody could read" })).toHaveCSS("color", "rgb(29, 26, 58)");
  });

  test("is a heading that stays readable in the dark", async ({ page }) => {
    await openKind(page, "Heading");
    const set = page.getByRole("heading", { name: /^Set by hand/ });
    await expect(set).toHaveCSS("color", "rgb(34, 83, 59)");
    await expect(set).toHaveCSS("font-weight", "800");
    await expect(page.getByRole("heading", { name: /^Letters from dusk/ })).toHaveCSS("background-clip", "text");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(set).toHaveCSS("color", "rgb(244, 242, 251)");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await expect(page.getByRole("heading", { name: /^Letters from dusk/ })).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
  });

  test("needs no styles in the page", async ({ page }) => {
    const html = await (await page.request.get("/en/gallery/ButtonRow/")).text();
    expect(html).toContain('<link rel="stylesheet" href="/paint/ink-xffffff_ground-x22533b_width-280.css"');
    expect(html).not.toMatch(/<[^>]+\sstyle="/);
    const sheet = await page.request.get("/paint/ink-xffffff_ground-x22533b_width-280.css");
    expect(sheet.headers()["content-type"]).toContain("text/css");
    expect((await page.request.get("/paint/ink-xffffff}body{.css")).status()).toBe(404);
  });
});

test("a disabled button can be reached, says why, and leads nowhere", async ({ page }) => {
  await openKind(page, "ButtonRow");
  const book = page.getByRole("button", { name: "Book the workshop" });
  await expect(book).toHaveAccessibleDescription("Full until March. The next dates come in February.");
  await expect(book).toHaveAttribute("aria-disabled", "true");
  await book.focus();
  await expect(book).toBeFocused();
  await book.click({ force: true });
  await expect(page).toHaveURL(/\/gallery\/ButtonRow\/$/);
});

test.describe("the landing hero", () => {
  test("takes its scrolled look after 80 pixels", async ({ page }) => {
    await openKind(page, "LandingHero");
    const hero = block(page, "landing").locator(".landing-hero");
    await alive(hero);
    await page.evaluate(() => scrollTo({ top: 80, behavior: "instant" }));
    await expect(hero).not.toHaveClass(/scrolled/);
    await expect(hero.locator(".behind")).toHaveCSS("opacity", "1");
    await page.evaluate(() => scrollTo({ top: 81, behavior: "instant" }));
    await expect(hero).toHaveClass(/scrolled/);
    await expect(hero.locator(".behind")).toHaveCSS("opacity", "0.6");
  });

  test("takes the allowed tracking parameters along in its buttons", async ({ page }) => {
    await page.goto("/en/gallery/LandingHero/?utm_source=a&foo=b");
    const start = page.getByRole("link", { name: "Start the first evening" });
    await expect(start).toHaveAttribute("href", "/en/payment/annual/?utm_source=a");
  });

  for (const locale of ["en", "ar"]) {
    test(`has two columns, and swaps them, in ${locale}`, async ({ page }) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await openKind(page, "LandingHero", locale);
      expect(await middle(block(page, "landing-words"))).toBeLessThan(720);
      expect(await middle(block(page, "landing-picture"))).toBeGreaterThan(720);
      expect(await middle(block(page, "landing-badge"))).toBeGreaterThan(720);
      expect(await middle(block(page, "landing-reversed-words"))).toBeGreaterThan(720);
      expect(await middle(block(page, "landing-reversed-picture"))).toBeLessThan(720);
    });
  }

  test("has its words first on a phone, reversed or not", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openKind(page, "LandingHero");
    for (const id of ["landing", "landing-reversed"]) {
      const [words, picture] = await Promise.all(
        ["words", "picture"].map(async (part) => (await block(page, `${id}-${part}`).boundingBox())?.y ?? 0),
      );
      expect(words).toBeLessThan(picture ?? 0);
    }
  });
});

test.describe("where motion is welcome", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("the content of a hero rises by 50 pixels after 2500 milliseconds, for as long", async ({ page }) => {
    await page.goto("/en/gallery/Hero/");
    const rising = page.locator("[data-fade-offset='50'][data-fade-delay='2500'][data-fade-duration='2500']");
    const movement = () =>
      rising.evaluate((part) => {
        const effect = part.getAnimations()[0]?.effect as KeyframeEffect | undefined;
        const { delay, duration } = effect?.getTiming() ?? {};
        return { delay, duration, from: effect?.getKeyframes()[0]?.transform };
      });
    await expect.poll(movement).toEqual({ delay: 2_500, duration: 2_500, from: "translateY(50px)" });
  });

  test("trainers glide past each other until they are stopped", async ({ page }) => {
    await visit(page, "/en/gallery/TrainerHero/");
    const columns = block(page, "trainers").locator(".glide");
    const heights = () =>
      columns.evaluateAll((all) => all.map((column) => new DOMMatrix(getComputedStyle(column).transform).m42));
    const pause = block(page, "trainers").getByRole("button", { name: "Pause the animation" });
    await alive(pause);
    const [one = 0, other = 0] = await heights();
    await expect.poll(async () => ((await heights())[0] ?? 0) < one && ((await heights())[1] ?? 0) > other).toBe(true);
    await pause.click();
    await page.mouse.move(0, 0);
    const states = () =>
      columns.evaluateAll((all) => all.flatMap((column) => column.getAnimations().map(({ playState }) => playState)));
    await expect.poll(states).toEqual(["paused", "paused"]);
  });
});

test("where motion is unwelcome nothing is waited for, and every trainer stands still in full", async ({ page }) => {
  await openKind(page, "Hero");
  await expect(block(page, "hero-badge")).toBeVisible();
  await expect(page.locator(".fade-in-up")).toHaveCSS("opacity", "1");
  await openKind(page, "TrainerHero");
  await expect(block(page, "trainers").getByRole("button")).toHaveCount(0);
  const cut = await block(page, "trainers")
    .locator(".trainers")
    .evaluate((all) => all.scrollHeight - all.clientHeight);
  expect(cut).toBeLessThanOrEqual(0);
});

test("the hero with tabs loads its picture when the page is there, and shows the tab that is pressed", async ({
  page,
}) => {
  expect(await (await page.request.get("/en/gallery/TabHero/")).text()).not.toContain(
    '<img src="/art/waves/evening.svg"',
  );
  await openKind(page, "TabHero");
  await expect(block(page, "tab-hero").locator('img[src="/art/waves/evening.svg"]')).toBeVisible();
  const focus = block(page, "tab-hero").getByRole("tab", { name: "Focus" });
  await focus.click();
  await expect(focus).toHaveAttribute("aria-selected", "true");
  await expect(block(page, "tab-hero").getByRole("heading")).toHaveText("One thing at a time");
  await expectAccessible(page);
});

test.describe("the Japanese hero", () => {
  test("shows its film in a dialog and gives the keyboard back", async ({ page }) => {
    await page.route("**/*.mp4", (route) => route.abort());
    await openKind(page, "JapaneseHero");
    const open = page.getByRole("button", { name: "Watch the film" });
    await alive(open);
    // The film lives elsewhere: what counts is that it is asked for only now.
    await page.evaluate(() => {
      Object.defineProperty(HTMLMediaElement.prototype, "src", { set() {} });
      HTMLVideoElement.prototype.setAttribute = () => {};
    });
    await open.click();
    const dialog = page.getByRole("dialog", { name: "A minute with the monsters" });
    await expect(dialog.locator("video")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.locator("video")).toHaveCount(0);
    await expect(open).toBeFocused();
  });

  test("leads to the monsters and stops 150 pixels above them", async ({ page }) => {
    await openKind(page, "JapaneseHero");
    await page.evaluate(() => document.body.style.setProperty("padding-block-end", "200vh"));
    const lead = page.getByRole("button", { name: "See all of them" });
    await alive(lead);
    await lead.click();
    const top = () => block(page, "monsters-alone").evaluate((part) => part.getBoundingClientRect().top);
    await expect.poll(async () => Math.round(await top())).toBe(150);
    await expect(block(page, "monsters-alone")).toBeFocused();
  });
});

test.describe("a question in a dialog", () => {
  const ask = async (page: Page, kind: string) => {
    await openKind(page, "Parts");
    const button = page.getByRole("button", { name: `Ask: ${kind}` });
    await alive(button);
    await button.click();
    return { button, dialog: page.getByRole("alertdialog") };
  };

  for (const { kind, icon, title } of [
    { kind: "success", icon: "check", title: "Your session is booked" },
    { kind: "fail", icon: "close", title: "That did not work" },
  ]) {
    test(`of kind ${kind} has its icon and one way on`, async ({ page }) => {
      const { dialog, button } = await ask(page, kind);
      await expect(dialog).toHaveAccessibleName(title);
      await expect(dialog.locator("use")).toHaveAttribute("href", new RegExp(`#${icon}$`));
      await expect(dialog.getByRole("button")).toHaveCount(1);
      await expectAccessible(page);
      await dialog.getByRole("button").click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText("Yes", { exact: true })).toBeVisible();
      await expect(button).toBeFocused();
    });
  }

  test("that warns can be answered with no", async ({ page }) => {
    const { dialog, button } = await ask(page, "warning");
    await expect(dialog.locator("use")).toHaveAttribute("href", /#alert$/);
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await expect(page.getByText("No", { exact: true })).toBeVisible();
    await button.click();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByText("No", { exact: true })).toBeVisible();
  });
});

test("a page that takes its time says that it is on its way", async ({ page }) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\.data(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  await openKind(page, "CallToActionBanner");
  const plans = page.getByRole("link", { name: "See the plans" });
  await alive(plans);
  await plans.click();
  await expect(page.getByRole("status").getByText("One moment")).toBeVisible();
  arrive();
  await expect(page).toHaveURL(/\/en\/pricing\/$/);
  await expect(page.getByText("One moment")).toHaveCount(0);
});

test.describe("pages of one partner", () => {
  test("show the film of their campaign, and no others do", async ({ page }) => {
    await visit(page, "/en/istanbulpanoramasi/");
    await expect(page.getByRole("button", { name: /^Play/ })).toBeVisible();
    await openKind(page, "PromoVideo");
    await expect(page.getByRole("button", { name: /^Play/ })).toHaveCount(0);
  });

  test("wear the colours of the partner", async ({ page }) => {
    await visit(page, "/en/Pasaj/stillpoint/");
    await expect(page.locator("main.partner-pasaj")).toBeVisible();
  });
});

test.describe("on a screen of 320 pixels", () => {
  // Without scripts: React would restore the words.
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test("every block has room for words two fifths longer", async ({ page }) => {
    await page.goto("/en/gallery/");
    await page.evaluate(lengthen);
    // Until the letters are there, others as wide as they happen to be stand in.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(await page.evaluate(cutOff)).toEqual([]);
  });
});

/** As a translation may be: the same words and two fifths more of them. */
function lengthen() {
  for (const block of document.querySelectorAll("main [data-block-id]")) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const words = node.data.trim();
      if (words.length > 3) node.data += ` ${words.slice(0, Math.ceil(words.length * 0.4))}`;
    }
  }
}

/** Words that are wider than what holds them, or past the edge of the screen. */
function cutOff(): string[] {
  const scrolls = (node: Element) => Boolean(node.closest(".slider, table"));
  return [...document.querySelectorAll("main [data-block-id] *")]
    .filter((node) => [...node.childNodes].some((child) => child instanceof Text && child.data.trim()))
    .filter((node) => node.checkVisibility() && !scrolls(node) && !node.closest(".sr-only, [aria-hidden=true]"))
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      const isClipped = node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== "visible";
      return isClipped || left < -1 || right > innerWidth + 1;
    })
    .map(
      (node) =>
        `${node.closest("[data-block-id]")?.id}: ${node.tagName.toLowerCase()} "${node.textContent?.slice(0, 40)}"`,
    );
}
