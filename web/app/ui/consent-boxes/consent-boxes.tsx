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
export interface ConsentWords {
  terms: string | null;
  gdpr: string | null;
}

interface ConsentBoxesProps extends ConsentWords {
  agreed: Agreed;
  onChange: (agreed: Agreed) => void;
}

export function isTicked({ terms, gdpr }: ConsentWords, agreed: Agreed): boolean {
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

interface TickHintProps extends ConsentWords {
  /** What the closed button is described by. */
  id: string;
  agreed: Agreed;
  className?: string;
}

/** Why a button is still closed. Its room is kept once it opens: nothing moves under the finger that ticks. */
export function TickHint({ id, terms, gdpr, agreed, className }: TickHintProps) {
  const t = useTexts();
  if (!terms && !gdpr) return null;
  const isOpen = isTicked({ terms, gdpr }, agreed);
  return (
    <p id={id} className={clsx("text-center text-2xs text-muted", isOpen && "invisible", className)}>
      {t(terms && gdpr ? "download.tickBoth" : "download.tickOne")}
    </p>
  );
}
