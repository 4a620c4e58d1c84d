import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { askSession, signOut, useSession } from "~/lib/session";
import { perTab } from "~/lib/storage";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { Tabs } from "~/ui/tabs/tabs";
import { AccountForm } from "./account-form";
import { destination } from "./destination";
import { PAYMENT_PAGE_KEY } from "./use-account-form";
import type { Mode } from "./validate";

export interface LoginRegisterProps {
  initial: Mode;
  confirmEmail: boolean;
  disabled: boolean;
  signUpLabel: string | null;
  signInLabel: string | null;
  termsHtml: string | null;
}

/** Sign-up and sign-in in two tabs; somebody who is signed in already is only asked to go on. */
export function LoginRegister(props: LoginRegisterProps) {
  const t = useTexts();
  const [mode, setMode] = useState<Mode>(props.initial);
  const session = useSession();
  const notice = noticeOf(useLocation().state);

  useEffect(() => {
    void askSession();
  }, []);

  if (session.state === "member") return <AlreadyIn name={session.user.fullName} mode={mode} />;
  return (
    <div className="space-y-6">
      {notice && <Notice tone="info">{notice}</Notice>}
      <Tabs
        label={t("auth.tabs")}
        active={mode}
        onChange={setMode}
        tabs={[
          { key: "signUp", label: t("auth.signUpTab") },
          { key: "signIn", label: t("auth.signInTab") },
        ]}
      >
        <AccountForm key={mode} mode={mode} {...props} />
      </Tabs>
    </div>
  );
}

/** What the page that sent somebody here wants said. */
function noticeOf(state: unknown): string | null {
  const notice = typeof state === "object" && state !== null && "notice" in state ? state.notice : null;
  return typeof notice === "string" && notice !== "" ? notice : null;
}

function AlreadyIn({ name, mode }: { name: string; mode: Mode }) {
  const t = useTexts();
  const { pathname, search } = useLocation();
  const onwards = destination({
    mode,
    locale: localeOf(pathname),
    query: new URLSearchParams(search),
    paymentPage: perTab.get(PAYMENT_PAGE_KEY),
  });
  return (
    <div className="space-y-6">
      <Notice tone="success">
        <p>
          {t("auth.signedInAs")} <bdi className="font-bold">{name}</bdi>
        </p>
      </Notice>
      <ButtonLink url={onwards} className="w-full">
        {t("auth.continue")}
      </ButtonLink>
      <Button variant="quiet" className="w-full" onClick={() => void signOut()}>
        {t("auth.signOut")}
      </Button>
    </div>
  );
}
