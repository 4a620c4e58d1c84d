import { reopenConsent } from "~/lib/analytics/consent";
import { useTexts } from "~/lib/i18n";

/** Reopens the consent bar; placed beside the legal links. */
export function ConsentSettings() {
  const t = useTexts();
  return (
    <button
      type="button"
      onClick={reopenConsent}
      className="inline-flex min-h-11 items-center text-sm leading-snug text-muted underline-offset-4 transition duration-200 hover:text-ink hover:underline"
    >
      {t("footer.privacyChoices")}
    </button>
  );
}
