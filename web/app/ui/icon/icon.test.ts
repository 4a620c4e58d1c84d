import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ICONS } from "./icon";

it("the sprite holds every icon, and no other", () => {
  const ids = [...readFileSync("app/ui/icon/sprite.svg", "utf8").matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.sort()).toEqual([...ICONS].sort());
});
