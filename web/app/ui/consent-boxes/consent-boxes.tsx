import clsx from "clsx";
import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import { Checkbox } from "../checkbox/checkbox";
import { TrustedHtml } from "../prose/trusted-html";

export interface Agreed {
  terms: boolean;
  gdpr: boolean;
}

/** What is to be ticked before going on: each in its words, or not at all. */
export interface ConsentLabels {
  terms: string | null;
  gdpr: string | null;
}

interface ConsentBoxesProps extends ConsentLabels {
  agreed: Agreed;
  onChange: (agreed: Agreed) => void;
}

/** Which boxes there are, in whatever words. */
export interface RequiredConsents {
  terms: string | boolean | null;
  gdpr: string | boolean | null;
}

export function isTicked({ terms, gdpr }: RequiredConsents, agreed: Agreed): boolean {
  return (!terms || agreed.terms) && (!gdpr || agreed.gdpr);
}

export function ConsentBoxes({ terms, gdpr, agreed, onChange }: ConsentBoxesProps) {
  const id = useId();
  if (!terms && !gdpr) return null;
  return (
    <div className="mt-5">
      {terms && (
        <Checkbox
          id={`${id}-terms`}
          checked={agreed.terms}
          onChange={(ticked) => onChange({ ...agreed, terms: ticked })}
        >
          <TrustedHtml html={terms} className="prose" />
        </Checkbox>
      )}
      {gdpr && (
        <Checkbox id={`${id}-gdpr`} checked={agreed.gdpr} onChange={(ticked) => onChange({ ...agreed, gdpr: ticked })}>
          <TrustedHtml html={gdpr} className="prose" />
        </Checkbox>
      )}
    </div>
  );
}

/** What is to be done before one can go on. */
export function useTickHintText({ terms, gdpr }: RequiredConsents): string {
  const t = useTexts();
  return t(terms && gdpr ? "download.tickBoth" : "download.tickOne");
}

interface TickHintProps {
  /** What the closed button is described by. */
  id: string;
  wanted: RequiredConsents;
  agreed: Agreed;
}

/**
 * Why the button above it is still closed, and close to it: other lines may follow. Its room is kept once it opens: nothing moves
 * under the finger that ticks.
 */
export function TickHint({ id, wanted, agreed }: TickHintProps) {
  const words = useTickHintText(wanted);
  if (!wanted.terms && !wanted.gdpr) return null;
  const isOpen = isTicked(wanted, agreed);
  return (
    <p id={id} className={clsx("mt-2 text-center text-2xs text-balance text-muted", isOpen && "invisible")}>
      {words}
    </p>
  );
}
