import { useEffect, useRef, useState } from "react";
import { useHydrated } from "~/lib/browser/hydrated";
import { useTexts } from "~/lib/i18n";
import { clearUrlToken, useUrlToken } from "~/lib/session/url-token";
import "~/lib/i18n/account";
import { useQuery } from "~/lib/browser/query";
import { setSession } from "~/lib/session/session";
import { ButtonLink } from "~/ui/button/button-link";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Notice } from "~/ui/notice/notice";
import { SplitPage } from "~/ui/split-page/split-page";
import { NewPassword } from "./new-password";
import { RequestLink } from "./request-link";

export interface ForgotPasswordTexts {
  title: string;
  description: string | null;
  submitLabel: string | null;
  sentMessage: string;
  failedMessage: string;
  goBackText: string | null;
  resetTitle: string | null;
  resetDescription: string | null;
  resetSubmitLabel: string | null;
  resetDoneMessage: string | null;
  resetInvalidMessage: string | null;
}

/** The `done` value of the gateway's redirect after a form posted without scripts. */
const PASSWORD_SAVED = "PASSWORD_SAVED";

/** Requests a mailed link; opened by that link, sets the new password. */
export function ForgotPassword({ texts, seed }: { texts: ForgotPasswordTexts; seed: string }) {
  const t = useTexts();
  const token = useUrlToken();
  const [outcome, setOutcome] = useState<"saved" | "over" | null>(null);
  const returned = useQuery()?.get("done") === PASSWORD_SAVED;
  const isSaved = outcome === "saved" || returned;
  const isChoosing = token !== null && outcome === null;
  const finish = (end: "saved" | "over") => {
    clearUrlToken();
    setOutcome(end);
    // A new password ends every session, including this one.
    if (end === "saved") setSession({ state: "visitor" });
  };
  const resets = isChoosing || isSaved;
  return (
    <SplitPage
      title={resets ? (texts.resetTitle ?? t("auth.setPassword")) : texts.title}
      description={isSaved ? null : isChoosing ? texts.resetDescription : texts.description}
      seed={seed}
    >
      {/* The URL contains a secret token, so other sites must get no referrer. */}
      <meta name="referrer" content="same-origin" />
      <SavedNotice isSaved={isSaved} message={texts.resetDoneMessage ?? t("auth.passwordSaved")} />
      {isChoosing && (
        <NewPassword
          token={token}
          submitLabel={texts.resetSubmitLabel}
          onDone={() => finish("saved")}
          onExpired={() => finish("over")}
        />
      )}
      {outcome === "over" && <Notice tone="danger">{texts.resetInvalidMessage ?? t("auth.linkExpired")}</Notice>}
      {!resets && <RequestLink texts={texts} />}
      <noscript>
        <WithoutScripts texts={texts} />
      </noscript>
      {!isSaved && <GoBack text={texts.goBackText} />}
    </SplitPage>
  );
}

function SavedNotice({ isSaved, message }: { isSaved: boolean; message: string }) {
  const t = useTexts();
  const isHydrated = useHydrated();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSaved) notice.current?.focus();
  }, [isSaved]);
  if (isHydrated && !isSaved) return null;
  return (
    <div id={PASSWORD_SAVED} className={isHydrated ? "space-y-6" : "hidden scroll-mt-24 space-y-6 target:block"}>
      <Notice ref={notice} tone="success">
        <p>{message}</p>
      </Notice>
      <ButtonLink url="/signin" className="w-full">
        {t("auth.signIn")}
      </ButtonLink>
    </div>
  );
}

function GoBack({ text }: { text: string | null }) {
  const t = useTexts();
  return (
    <Link url="/signin" className="inline-flex min-h-11 items-center gap-2 font-bold text-action">
      <span className="-scale-x-100">
        <Icon name="arrow" mirrored className="size-4.5" />
      </span>
      {text ?? t("nav.back")}
    </Link>
  );
}

/** Without scripts the page cannot read the token, so it shows both forms. */
function WithoutScripts({ texts }: { texts: ForgotPasswordTexts }) {
  const t = useTexts();
  const nothing = () => undefined;
  return (
    <section className="space-y-5 border-t border-hairline pt-8">
      <h2 className="display text-2xl">{texts.resetTitle ?? t("auth.setPassword")}</h2>
      <p className="text-muted">{t("auth.fromMail")}</p>
      <NewPassword token={null} submitLabel={texts.resetSubmitLabel} onDone={nothing} onExpired={nothing} />
    </section>
  );
}
