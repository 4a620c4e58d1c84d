import { useTexts } from "~/lib/i18n";
import { signOut, type User } from "~/lib/session";
import { Avatar } from "~/ui/art/avatar";
import { Button } from "~/ui/button/button";

export function AccountMenu({ user }: { user: User }) {
  const t = useTexts();
  return (
    <details className="relative animate-enter">
      <summary className="block list-none rounded-pill">
        <span className="sr-only">{t("nav.account")}</span>
        <Avatar name={user.fullName} />
      </summary>
      <div className="absolute end-0 top-full z-20 mt-2 w-64 animate-enter rounded-card bg-card p-5 text-ink shadow-floating">
        <p className="truncate font-bold">
          <bdi>{user.fullName}</bdi>
        </p>
        <p className="truncate text-sm text-muted">
          <bdi>{user.email}</bdi>
        </p>
        <Button variant="secondary" size="compact" className="mt-4 w-full" onClick={() => void signOut()}>
          {t("auth.signOut")}
        </Button>
      </div>
    </details>
  );
}
