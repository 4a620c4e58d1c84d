import { expect, it } from "vitest";
import { deferScripts } from "./defer-scripts";

const html = `<head><link rel="stylesheet" href="/a.css"/><link rel="modulepreload" href="/assets/vendor.js"/></head><body><script type="module" async="">import "/assets/manifest.js";
import * as route0 from "/assets/root.js";
import * as route1 from "/assets/page.js";

  window.__reactRouterRouteModules = {"root":route0,"routes/page":route1};

import("/assets/entry.js");</script></body>`;

it("scripts and preloads wait for the first paint", () => {
  const deferred = deferScripts(html);
  expect(deferred).toContain('<head><link rel="stylesheet" href="/a.css"/></head>');
  expect(deferred).toContain('for (const href of ["/assets/vendor.js"])');
  expect(deferred).toContain(
    'const [, route0, route1] = await Promise.all([import("/assets/manifest.js"), import("/assets/root.js"), import("/assets/page.js")]);',
  );
  expect(deferred.indexOf("requestAnimationFrame")).toBeLessThan(deferred.indexOf("__reactRouterRouteModules"));
  expect(deferred).not.toMatch(/^import /m);
});

it("a script shared by route and block is preloaded once", () => {
  const twice = html.replace("</body>", '<link rel="modulepreload" href="/assets/vendor.js"/></body>');
  expect(deferScripts(twice)).toContain('for (const href of ["/assets/vendor.js"])');
});

it("a page without scripts is unchanged", () => {
  expect(deferScripts("<p>Nothing</p>")).toBe("<p>Nothing</p>");
});
