import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Checkbox } from "../checkbox/checkbox";
import { TrustedHtml } from "../prose/trusted-html";

/** A box to tick before going on; `html` are its words where content has some. */
export interface ConsentView {
  asked: boolean;
  html: string | null;
}

export interface Agreed {
  terms: boolean;
  gdpr: boolean;
}

interface ConsentBoxesProps {
  terms: ConsentView;
  gdpr: ConsentView;
  agreed: Agreed;
  onChange: (agreed: Agreed) => void;
}

export function ConsentBoxes({ terms, gdpr, agreed, onChange }: ConsentBoxesProps) {
  const t = useTexts();
  const id = useId();
  if (!terms.asked && !gdpr.asked) return null;
  return (
    <div className="mt-5">
      {terms.asked && (
        <Checkbox
          id={`${id}-terms`}
          checked={agreed.terms}
          onChange={(ticked) => onChange({ ...agreed, terms: ticked })}
        >
          <Words html={terms.html} fallback={t("checkout.consentTerms")} />
        </Checkbox>
      )}
      {gdpr.asked && (
        <Checkbox id={`${id}-gdpr`} checked={agreed.gdpr} onChange={(ticked) => onChange({ ...agreed, gdpr: ticked })}>
          <Words html={gdpr.html} fallback={t("checkout.consentGdpr")} />
        </Checkbox>
      )}
    </div>
  );
}

function Words({ html, fallback }: { html: string | null; fallback: string }) {
  return html ? <TrustedHtml html={html} className="prose" /> : fallback;
}
