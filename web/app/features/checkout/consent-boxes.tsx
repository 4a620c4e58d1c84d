import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Checkbox } from "~/ui/checkbox/checkbox";
import type { Consents } from "./terms";

interface ConsentBoxesProps {
  wanted: Consents;
  given: Consents;
  onChange: (given: Consents) => void;
}

export function isAgreed(wanted: Consents, given: Consents): boolean {
  return (!wanted.terms || given.terms) && (!wanted.gdpr || given.gdpr);
}

export function ConsentBoxes({ wanted, given, onChange }: ConsentBoxesProps) {
  const t = useTexts();
  if (!wanted.terms && !wanted.gdpr) return null;
  return (
    <div className="mt-5">
      {wanted.terms && (
        <Checkbox id="consent-terms" checked={given.terms} onChange={(terms) => onChange({ ...given, terms })}>
          {t("checkout.consentTerms")}
        </Checkbox>
      )}
      {wanted.gdpr && (
        <Checkbox id="consent-gdpr" checked={given.gdpr} onChange={(gdpr) => onChange({ ...given, gdpr })}>
          {t("checkout.consentGdpr")}
        </Checkbox>
      )}
    </div>
  );
}
