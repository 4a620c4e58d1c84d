import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf } from "~/lib/locale";
import { useAfterSignIn } from "./after-sign-in";
import { AlreadySignedIn } from "./already-signed-in";
import { actions, NO_NAME, NO_PASSWORD, sendEmailSignup } from "./api";
import { EmailForm } from "./form/email-form";
import { ReferralNotice } from "./referral-notice";
import { useReturningMember } from "./returning-member";

/** Signs up with an address alone; a mailed link sets the password later. */
export function EmailSignup({ submitLabel }: { submitLabel: string | null }) {
  const t = useTexts();
  const { pathname, search } = useLocation();
  const member = useReturningMember();
  const afterSignIn = useAfterSignIn();
  if (member) return <AlreadySignedIn user={member} mode="signUp" />;
  return (
    <div className="space-y-6">
      <ReferralNotice />
      <EmailForm
        action={actions.emailSignup}
        send={sendEmailSignup({ locale: localeOf(pathname), query: new URLSearchParams(search) })}
        onDone={(answer) => afterSignIn({ ...answer, kind: "signUp" })}
        submitLabel={submitLabel ?? t("auth.continue")}
      >
        <input type="hidden" name="name" value={NO_NAME} />
        <input type="hidden" name="password" value={NO_PASSWORD} />
      </EmailForm>
    </div>
  );
}
