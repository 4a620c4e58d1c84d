import { openKind } from "../support/gallery.ts";
import { alive, expect, test } from "../support/stillpoint.ts";

/** Blocks that move, play or ask, one at a time as the gallery shows them. */

for (const locale of ["en", "ar"] as const) {
  test(`a person goes round the experts in ${locale}`, async ({ page }) => {
    await openKind(page, "Experts", locale);
    const slides = page.locator("[id=experts]").getByRole("article");
    const arrows = page.locator("[id=experts]").getByRole("button");
    await alive(arrows.first());
    await arrows.first().scrollIntoViewIfNeeded();
    await expect(slides.first()).toBeInViewport({ ratio: 0.6 });
    await arrows.first().click();
    await expect(slides.last()).toBeInViewport({ ratio: 0.6 });
    await arrows.last().click();
    await expect(slides.first()).toBeInViewport({ ratio: 0.6 });
  });
}

test("a block comes to life within two seconds of idleness, wherever it stands", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 400 });
  await openKind(page, "Picture");
  const link = page.getByRole("link", { name: "Water in the evening" });
  await expect(link).not.toBeInViewport();
  await alive(link);
});

test.describe("what the server sent of a block", () => {
  test.beforeEach(({ page }) => page.addInitScript(markWhatWasSent));

  test("stays when the address changes before the block has come to life", async ({ page }) => {
    await page.addInitScript(moveOnceReactIsThere);
    await page.goto("/en/gallery/");
    await expect(page).toHaveURL(/#main$/);
    await expect.poll(() => page.evaluate(allAlive)).toBe(true);
    expect(await page.evaluate(replaced)).toEqual([]);
  });

  test("stays in a landing hero that is scrolled before it has come to life", async ({ page }) => {
    await page.addInitScript(() => document.addEventListener("DOMContentLoaded", () => scrollTo(0, 200)));
    await page.goto("/en/gallery/LandingHero/");
    await expect(page.locator(".landing-hero.scrolled").first()).toBeAttached();
    await expect(page.locator(".landing-hero.scrolled .behind").first()).toHaveCSS("opacity", "0.6");
    await expect.poll(() => page.evaluate(allAlive)).toBe(true);
    expect(await page.evaluate(replaced)).toEqual([]);
  });
});

function markWhatWasSent() {
  document.addEventListener("DOMContentLoaded", () => {
    for (const block of document.querySelectorAll("[data-block-id]")) {
      for (const node of block.children) Object.assign(node, { wasSent: true });
    }
  });
}

function moveOnceReactIsThere() {
  const isThere = () => Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactProps"));
  const look = () => setTimeout(isThere() ? () => location.assign("#main") : look, 50);
  look();
}

function allAlive(): boolean {
  const isAlive = (node: Element) => Object.keys(node).some((key) => key.startsWith("__reactProps"));
  return [...document.querySelectorAll("[data-block-id] > *")].every(isAlive);
}

function replaced(): string[] {
  return [...document.querySelectorAll("[data-block-id] > *")]
    .filter((node) => !("wasSent" in node))
    .map((node) => node.parentElement?.id ?? "");
}
