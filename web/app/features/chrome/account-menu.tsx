import { lazy, Suspense } from "react";
import { useTexts } from "~/lib/i18n";
import { useSession } from "~/lib/session/session";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Popup } from "./popup";

const AccountCard = lazy(() => import("./account-card"));

/**
 * Part of every page's HTML, because pages are the same for everyone; styles hide it from visitors. Its link works
 * without scripts.
 */
export function AccountMenu() {
  const session = useSession();
  const link = <AccountLink />;
  return (
    <Popup trigger={<AccountIcon />} triggerClass="block rounded-pill visitor:hidden" className="p-5 lg:w-64">
      {session.state === "member" ? (
        <Suspense fallback={link}>
          <AccountCard user={session.user} />
        </Suspense>
      ) : (
        link
      )}
    </Popup>
  );
}

function AccountIcon() {
  const t = useTexts();
  return (
    <>
      <span className="sr-only">{t("nav.account")}</span>
      <span className="grid size-11 place-items-center rounded-pill bg-mist text-action">
        <Icon name="person" />
      </span>
    </>
  );
}

export function AccountLink() {
  const t = useTexts();
  return (
    <Link url="/profile" className={accountLinkClass}>
      {t("nav.account")}
    </Link>
  );
}

export const accountLinkClass = "-mx-3 flex min-h-11 items-center rounded-field px-3 font-semibold hover:bg-mist";
