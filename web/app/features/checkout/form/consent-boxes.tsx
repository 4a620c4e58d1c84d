import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { AgreedConsents, Consents } from "../terms";

interface ConsentBoxesProps {
  required: Consents;
  agreed: AgreedConsents;
  onChange: (given: AgreedConsents) => void;
}

export function ConsentBoxes({ required, agreed, onChange }: ConsentBoxesProps) {
  const t = useTexts();
  if (!required.terms && !required.gdpr) return null;
  return (
    <div className="mt-5">
      {required.terms && (
        <Checkbox id="consent-terms" checked={agreed.terms} onChange={(terms) => onChange({ ...agreed, terms })}>
          <ConsentText of={required.terms} defaultText={t("checkout.consentTerms")} />
        </Checkbox>
      )}
      {required.gdpr && (
        <Checkbox id="consent-gdpr" checked={agreed.gdpr} onChange={(gdpr) => onChange({ ...agreed, gdpr })}>
          <ConsentText of={required.gdpr} defaultText={t("checkout.consentGdpr")} />
        </Checkbox>
      )}
    </div>
  );
}

function ConsentText({ of, defaultText }: { of: string | true; defaultText: string }) {
  return of === true ? defaultText : <TrustedHtml html={of} className="prose" />;
}
