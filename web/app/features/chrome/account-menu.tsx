import { useTexts } from "~/lib/i18n";
import { signOut, type User } from "~/lib/session";
import { Avatar } from "~/ui/art/avatar";
import { Button } from "~/ui/button/button";
import { Popup } from "./popup";

export function AccountMenu({ user }: { user: User }) {
  const t = useTexts();
  return (
    <Popup
      trigger={
        <>
          <span className="sr-only">{t("nav.account")}</span>
          <Avatar name={user.fullName} />
        </>
      }
      triggerClass="block rounded-pill"
      className="p-5 lg:w-64"
    >
      <p className="truncate font-bold">
        <bdi>{user.fullName}</bdi>
      </p>
      <p className="truncate text-sm text-muted">
        <bdi>{user.email}</bdi>
      </p>
      <Button variant="secondary" size="compact" className="mt-4 w-full" onClick={() => void signOut()}>
        {t("auth.signOut")}
      </Button>
    </Popup>
  );
}
