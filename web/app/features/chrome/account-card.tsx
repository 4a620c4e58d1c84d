import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { signOut, type User } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { Link } from "~/ui/link/link";
import { AccountLink, accountLinkClass } from "./account-menu";

/** The member and the links to their pages. */
export default function AccountCard({ user }: { user: User }) {
  const t = useTexts();
  return (
    <>
      <p className="truncate font-bold">
        <bdi>{user.fullName}</bdi>
      </p>
      <p className="truncate text-sm text-muted">
        <bdi>{user.email}</bdi>
      </p>
      <ul className="mt-3">
        <li>
          <AccountLink />
        </li>
        {user.isCoachingUser && (
          <li>
            <Link url="/coach" className={accountLinkClass}>
              {t("account.coaching")}
            </Link>
          </li>
        )}
        {user.isTherapyUser && (
          <li>
            <Link url="/success/counseling-welcome" className={accountLinkClass}>
              {t("account.therapy")}
            </Link>
          </li>
        )}
      </ul>
      <Button variant="secondary" size="compact" className="mt-4 w-full" onClick={() => void signOut()}>
        {t("auth.signOut")}
      </Button>
    </>
  );
}
