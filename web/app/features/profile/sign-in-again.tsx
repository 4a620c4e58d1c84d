import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { signInUrl } from "~/lib/links/sign-up-url";
import { signOut } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";

/** Members without a password prove themselves by a new sign-in, which returns to this page. */
export function SignInAgain() {
  const t = useTexts();
  const { pathname } = useLocation();
  const signInAgain = async () => {
    await signOut();
    location.assign(signInUrl(pathname));
  };
  return (
    <Notice tone="info" role="alert">
      <p>{t("erasure.signInAgain")}</p>
      <Button variant="secondary" size="compact" onClick={() => void signInAgain()}>
        {t("erasure.signInAgainAction")}
      </Button>
    </Notice>
  );
}
