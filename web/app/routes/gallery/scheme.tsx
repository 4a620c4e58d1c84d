import clsx from "clsx";
import { useEffect, useState } from "react";
import { perTab } from "~/lib/browser/storage";

const SCHEMES = ["system", "light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

const KEY = "galleryScheme";

/** Switches light and dark independently of the system; stored per tab. */
export function SchemeSwitch() {
  const [scheme, setScheme] = useState<Scheme>("system");
  useEffect(() => setScheme(SCHEMES.find((known) => known === perTab.get(KEY)) ?? "system"), []);
  useEffect(() => show(scheme), [scheme]);
  const choose = (chosen: Scheme) => {
    perTab.set(KEY, chosen);
    setScheme(chosen);
  };
  return (
    <fieldset className="flex rounded-pill border border-hairline p-1">
      <legend className="sr-only">Colours</legend>
      {SCHEMES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === scheme}
          onClick={() => choose(name)}
          className={clsx(
            "min-h-11 rounded-pill px-4 text-sm first-letter:uppercase",
            name === scheme ? "bg-action font-bold text-on-action" : "text-muted hover:text-ink",
          )}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** The site follows the system; the gallery overrides the media rules of its style sheets. */
function show(scheme: Scheme): void {
  document.documentElement.style.colorScheme = scheme === "system" ? "" : scheme;
  for (const sheet of document.styleSheets) overrideMedia(sheet.cssRules, scheme);
}

const originals = new WeakMap<CSSMediaRule, string>();

function overrideMedia(rules: CSSRuleList, scheme: Scheme): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const original = originals.get(rule) ?? rule.media.mediaText;
      originals.set(rule, original);
      const asked = /^\(prefers-color-scheme:\s*(light|dark)\)$/.exec(original)?.[1];
      if (asked) rule.media.mediaText = mediaFor(scheme, asked) ?? original;
    }
    if (rule instanceof CSSGroupingRule) overrideMedia(rule.cssRules, scheme);
  }
}

function mediaFor(scheme: Scheme, asked: string): string | null {
  if (scheme === "system") return null;
  return scheme === asked ? "all" : "not all";
}
