import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { Agreed, Consents } from "../terms";

interface ConsentBoxesProps {
  wanted: Consents;
  given: Agreed;
  onChange: (given: Agreed) => void;
}

export function ConsentBoxes({ wanted, given, onChange }: ConsentBoxesProps) {
  const t = useTexts();
  if (!wanted.terms && !wanted.gdpr) return null;
  return (
    <div className="mt-5">
      {wanted.terms && (
        <Checkbox id="consent-terms" checked={given.terms} onChange={(terms) => onChange({ ...given, terms })}>
          <Words of={wanted.terms} ours={t("checkout.consentTerms")} />
        </Checkbox>
      )}
      {wanted.gdpr && (
        <Checkbox id="consent-gdpr" checked={given.gdpr} onChange={(gdpr) => onChange({ ...given, gdpr })}>
          <Words of={wanted.gdpr} ours={t("checkout.consentGdpr")} />
        </Checkbox>
      )}
    </div>
  );
}

function Words({ of, ours }: { of: string | true; ours: string }) {
  return of === true ? ours : <TrustedHtml html={of} className="prose" />;
}
