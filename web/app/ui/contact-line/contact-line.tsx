import "~/lib/i18n/journeys";
import { useTexts } from "~/lib/i18n";
import { ButtonLink } from "../button/button-link";
import { Icon } from "../icon/icon";

interface ContactLineProps {
  email: string;
  /** Subject of the mail. */
  subject: string;
}

/** For a step that is not available yet: offers a mail address. */
export function ContactLine({ email, subject }: ContactLineProps) {
  const t = useTexts();
  return (
    <div className="rounded-card bg-mist p-5 md:p-6">
      <p className="text-balance">{t("contact.notOnline")}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
        <ButtonLink url={`mailto:${email}?subject=${encodeURIComponent(subject)}`} size="compact">
          <Icon name="mail" />
          {t("contact.write")}
        </ButtonLink>
        <p className="text-sm text-muted">
          <bdi>{email}</bdi>
        </p>
      </div>
    </div>
  );
}
