import { useEffect, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { resolveRedirect } from "~/lib/links/resolve-redirect";
import { signOut, type User } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { useFollowDestination, useSignInContext } from "./after-sign-in";
import { signInDestination } from "./destination";
import type { Mode } from "./form/validate";

/** A member who is already signed in gets a button to continue. */
export function AlreadySignedIn({ user, mode }: { user: User; mode: Mode }) {
  const t = useTexts();
  return (
    <div className="space-y-6">
      <Notice tone="success">
        <p>
          {t("auth.signedInAs")} <bdi className="font-bold">{user.fullName}</bdi>
        </p>
      </Notice>
      <ContinueButton user={user} mode={mode} />
      <Button variant="quiet" className="w-full" onClick={() => void signOut()}>
        {t("auth.signOut")}
      </Button>
    </div>
  );
}

function ContinueButton({ user, mode }: { user: User; mode: Mode }) {
  const t = useTexts();
  const context = useSignInContext()();
  const follow = useFollowDestination();
  const redirectPage = useResolvedRedirect(context.query.get("redirectPage"));
  if (redirectPage === undefined) {
    return (
      <Button busy className="w-full">
        {t("auth.continue")}
      </Button>
    );
  }
  const next = signInDestination({ ...context, user, redirectPage, kind: mode });
  if (next.to === "page") {
    return (
      <ButtonLink url={next.path} className="w-full">
        {t("auth.continue")}
      </ButtonLink>
    );
  }
  return (
    <Button className="w-full" onClick={() => follow(next)}>
      {t("auth.continue")}
    </Button>
  );
}

/** Undefined until the gateway has answered. */
function useResolvedRedirect(redirectPage: string | null): string | null | undefined {
  const [decision, setDecision] = useState<string | null | undefined>(redirectPage === null ? null : undefined);
  useEffect(() => {
    if (redirectPage !== null) void resolveRedirect("redirectPage", redirectPage).then(setDecision);
  }, [redirectPage]);
  return decision;
}
