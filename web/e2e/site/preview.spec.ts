import { contentUrl, createPreview, publishDraft, saveDraft, unpublish } from "../support/editor.ts";
import { expect, test } from "../support/stillpoint.ts";

/** Preview links through content, gateway and renderer as they run. */

test.skip(
  !contentUrl,
  "CONTENT_URL does not say where editors reach content: it has an address of its own in services mode",
);
test.use({ expected: /status of 404/ });

const locale = "en";
const heading = (text: string) => ({ name: text, level: 1 });

test("A preview link shows the draft of a page that was never published, and of one that was", async ({
  page,
  request,
}) => {
  const urlPath = `/preview-${crypto.randomUUID()}`;
  const address = `/${locale}${urlPath}/`;

  await saveDraft({ urlPath, locale, heading: "A first draft" });
  await page.goto(`${address}?preview=${await createPreview(urlPath, locale)}`);
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", heading("A first draft"))).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  expect((await request.get(address)).status()).toBe(404);

  await publishDraft(urlPath, locale, 1);
  await expect.poll(async () => (await request.get(address)).status()).toBe(200);
  await saveDraft({ urlPath, locale, heading: "A second draft" }, 2);
  await page.reload();
  await expect(page.getByRole("heading", heading("A second draft"))).toBeVisible();
  expect(await (await request.get(address)).text()).toContain("A first draft");

  await unpublish(urlPath, locale);
  await expect.poll(async () => (await request.get(address)).status()).toBe(404);
  // Unpublishing counts as a change of the open draft.
  await saveDraft({ urlPath, locale, heading: "A third draft" }, 4);
  await page.reload();
  await expect(page.getByRole("heading", heading("A third draft"))).toBeVisible();
  await publishDraft(urlPath, locale, 5);
  await expect.poll(async () => (await request.get(address)).text()).toContain("A third draft");
  await unpublish(urlPath, locale);
});
