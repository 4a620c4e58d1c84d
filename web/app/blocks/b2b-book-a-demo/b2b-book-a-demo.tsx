import { useEffect } from "react";
import { useLocation } from "react-router";
import { trackWithCountry } from "~/lib/analytics";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";
import { BusinessPage } from "../shared/business-page";

export default function B2bBookADemo({ block }: BlockProps<"B2bBookADemo">) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  useEffect(() => trackWithCountry("b2b_bookademo", { language: locale }), [locale]);
  return (
    <BusinessPage
      seed={block.id}
      sideTitle={block.sideColTitle}
      sideText={null}
      sideItems={block.sideItems}
      sideImage={block.sideImage}
      heading={block.formHeading}
    >
      {block.whatsYourInterest.length > 0 && (
        <>
          <p className="text-sm font-bold text-muted">{t("business.topics")}</p>
          <ul className="mt-3 space-y-2">
            {block.whatsYourInterest.map((interest) => (
              <li key={interest.id} className="rounded-field bg-mist px-4 py-3">
                <p className="font-semibold">{interest.label}</p>
                {interest.tooltipText && <p className="mt-0.5 text-2xs text-muted">{interest.tooltipText}</p>}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-6">
        <ContactLine email={block.contactEmail} subject={block.formHeading} />
      </div>
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose mt-4 text-2xs text-muted" />}
    </BusinessPage>
  );
}
