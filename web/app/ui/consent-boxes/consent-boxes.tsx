import clsx from "clsx";
import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import { Checkbox } from "../checkbox/checkbox";
import { TrustedHtml } from "../prose/trusted-html";

export interface Agreed {
  terms: boolean;
  gdpr: boolean;
}

/** Texts of the required boxes; null: no box. */
export interface ConsentLabels {
  terms: string | null;
  gdpr: string | null;
}

interface ConsentBoxesProps extends ConsentLabels {
  agreed: Agreed;
  onChange: (agreed: Agreed) => void;
}

/** The required boxes. */
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

/** The hint for unticked boxes. */
export function useTickHintText({ terms, gdpr }: RequiredConsents): string {
  const t = useTexts();
  return t(terms && gdpr ? "download.tickBoth" : "download.tickOne");
}

interface TickHintProps {
  /** Referenced by the disabled button. */
  id: string;
  required: RequiredConsents;
  agreed: Agreed;
}

/**
 * Below the disabled button, why it is disabled. Its space stays reserved, so that nothing moves while a box is ticked.
 */
export function TickHint({ id, required, agreed }: TickHintProps) {
  const texts = useTickHintText(required);
  if (!required.terms && !required.gdpr) return null;
  const isOpen = isTicked(required, agreed);
  return (
    <p id={id} className={clsx("mt-2 text-center text-2xs text-balance text-muted", isOpen && "invisible")}>
      {texts}
    </p>
  );
}
