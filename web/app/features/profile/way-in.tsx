import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf } from "~/lib/locale";
import { ButtonLink } from "~/ui/button/button-link";

/** With the way back. */
export function signInUrl(pathname: string): string {
  return `/${localeOf(pathname)}/signin/?${new URLSearchParams({ redirectPage: pathname })}`;
}

/** For visitors. Members never see it: it is there until the browser knows who is looking. */
export function WayIn({ className }: { className?: string }) {
  const t = useTexts();
  const { pathname } = useLocation();
  return (
    <div className={`rounded-card bg-mist p-5 md:p-6 ${className ?? ""}`}>
      <p className="text-balance">{t("profile.signInFirst")}</p>
      <ButtonLink url={signInUrl(pathname)} className="mt-4">
        {t("auth.signIn")}
      </ButtonLink>
    </div>
  );
}
