import { useId } from "react";
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
