import { expect, it } from "vitest";
import { isPromoted } from "./paths";

it.each([
  ["/tr/istanbulpanoramasi/", true],
  ["/tr/istpanoramadev/", true],
  ["/tr/offers/istanbulpanoramasi/", true],
  ["/tr/", false],
  ["/tr/panorama/", false],
])("on %s the promotion is shown: %s", (path, shown) => {
  expect(isPromoted(path)).toBe(shown);
});
