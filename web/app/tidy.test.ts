import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Rules of the code base that no compiler checks. */

interface Source {
  path: string;
  text: string;
}

const sources: Source[] = readdirSync("app", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.startsWith("app/gen/") && !path.includes(".test."))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const code = sources.filter(({ path }) => !path.endsWith(".css"));
const styles = sources.filter(({ path }) => path.endsWith(".css"));

const offenders = (files: Source[], pattern: RegExp) =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));

describe("right-to-left", () => {
  it("no utility and no property uses left or right", () => {
    const utilities =
      /(?<=["'`\s:-])-?(?:ml|mr|pl|pr|left|right|border-l|border-r|rounded-l|rounded-r|rounded-tl|rounded-tr|rounded-bl|rounded-br|scroll-ml|scroll-mr)-[a-z0-9[.]+|\btext-(?:left|right)\b|\b(?:float|clear)-(?:left|right)\b/g;
    const properties =
      /\b(?:margin|padding|border|inset)-(?:left|right)\b|(?<=[\s;{])(?:left|right)\s*:|text-align:\s*(?:left|right)/g;
    expect(offenders(code, utilities)).toEqual([]);
    expect(offenders(styles, properties)).toEqual([]);
  });
});

describe("breakpoints", () => {
  it("are those of tokens.css: other utilities have no effect", () => {
    expect(offenders(code, /(?<=["'`\s:])(?:max-)?(?:sm|2xl):[a-z-]+/g)).toEqual([]);
  });
});

describe("the content security policy", () => {
  it("is not violated by a style attribute", () => {
    expect(offenders(code, /\sstyle=\{\{/g)).toEqual([]);
  });

  it("has one place for HTML from outside", () => {
    const raw = offenders(code, /dangerouslySetInnerHTML=/g);
    expect(raw).toEqual(["app/ui/prose/trusted-html.tsx: dangerouslySetInnerHTML="]);
  });
});

describe("style sheets of blocks", () => {
  it("declare the order of layers, because they may load before the site's", () => {
    const own = styles.filter(
      ({ text, path }) => /^@layer components \{/m.test(text) && !path.startsWith("app/styles/"),
    );
    const silent = own.filter(({ text }) => !text.startsWith("@layer theme, base, components, utilities;"));
    expect(own.length).toBeGreaterThan(0);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

describe("raw values", () => {
  it("of colours are in tokens.css only", () => {
    const colour = /#[0-9a-f]{3,8}\b|\brgba?\(|\boklch\((?!in)/gi;
    // The browser reads the theme colour before any style sheet.
    const allowed = ["app/styles/tokens.css", "app/root.tsx"];
    expect(
      offenders(
        // Samples represent content, which has its own colours.
        sources.filter(({ path }) => !allowed.includes(path) && !path.startsWith("app/blocks/samples")),
        colour,
      ),
    ).toEqual([]);
  });
});

describe("files", () => {
  it("are no longer than 400 lines", () => {
    const long = sources.filter(({ path, text }) => path !== "app/styles/fonts.css" && text.split("\n").length > 400);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe("imports", () => {
  const layers = ["lib", "ui", "features", "blocks", "routes"];
  const layerOf = (path: string) => layers.findIndex((layer) => path.startsWith(`app/${layer}/`));
  const targetOf = (from: string, specifier: string) =>
    specifier.startsWith("~/")
      ? `app/${specifier.slice(2)}`
      : specifier.startsWith(".")
        ? join(from, "..", specifier)
        : null;
  const edges = code.flatMap(({ path, text }) =>
    [...text.matchAll(/from "([^"]+)"/g)].flatMap(([, specifier = ""]) => {
      const target = targetOf(path, specifier);
      return target ? [{ path, target }] : [];
    }),
  );

  const runtimeEdges = code.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gm)].flatMap(([statement, specifier = ""]) => {
      const names = /\{([^}]*)\}/.exec(statement)?.[1] ?? "default";
      const isTypeOnly = names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
      const target = isTypeOnly ? null : targetOf(path, specifier);
      return target ? [{ path, target }] : [];
    }),
  );

  it("go from routes to blocks to features to ui to lib, never back", () => {
    const upward = edges.filter(({ path, target }) => layerOf(path) >= 0 && layerOf(target) > layerOf(path));
    expect(upward).toEqual([]);
  });

  const featureOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];
  const SHARED_FEATURE = "payment";

  it("of a feature reach no other feature but the payment core", () => {
    // The harness of tests shows a page together with what the layout adds to it.
    const ofProduct = edges.filter(({ path }) => !path.endsWith("/test-harness.tsx"));
    const crossing = ofProduct.filter(({ path, target }) => {
      const [from, to] = [featureOf(path), featureOf(target)];
      return from && to && from !== to && to !== SHARED_FEATURE;
    });
    expect(crossing).toEqual([]);
  });

  it("have no cycles", () => {
    const files = new Set(code.map(({ path }) => path));
    const fileOf = (target: string) =>
      ["", ".ts", ".tsx", "/index.tsx", "/index.ts"].map((end) => target + end).find((file) => files.has(file));
    const graph = Map.groupBy(runtimeEdges, ({ path }) => path);
    const done = new Set<string>();
    const cycleFrom = (path: string, trail: string[]): string[] | null => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
      if (done.has(path)) return null;
      for (const { target } of graph.get(path) ?? []) {
        const file = fileOf(target);
        const cycle = file ? cycleFrom(file, [...trail, path]) : null;
        if (cycle) return cycle;
      }
      done.add(path);
      return null;
    };
    expect(code.map(({ path }) => cycleFrom(path, [])).find(Boolean)).toBeUndefined();
  });
});

describe("folders", () => {
  it("hold at most 15 files", () => {
    const count = Map.groupBy(
      readdirSync("app", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      ({ parentPath }) => parentPath,
    );
    const crowded = [...count].filter(([folder, files]) => !folder.startsWith("app/gen") && files.length > 15);
    expect(crowded.map(([folder]) => folder)).toEqual([]);
  });
});
