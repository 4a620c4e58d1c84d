import { type FormEvent, useEffect, useRef, useState } from "react";
import { useHydrated } from "~/lib/browser/hydrated";
import { useQuery } from "~/lib/browser/query";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { fetchSession } from "~/lib/session/session";
import { clearUrlToken, useUrlToken } from "~/lib/session/url-token";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";
import { SplitPage } from "~/ui/split-page/split-page";
import { actions, sendEndSession } from "../api";

/** The `done` value of the gateway's redirect after a form posted without scripts, and its codes of failures. */
const SESSION_ENDED = "SESSION_ENDED";
const DEAD_LINK = ["LINK_INVALID", "LINK_EXPIRED"] as const;
const FAILED = ["TOO_MANY_ATTEMPTS", "FAILED"] as const;

type Step = "asking" | "sending" | "ended" | "dead" | { failed: Problem };

/** For the link of a mail about a new sign-in. It needs a click, because mail scanners open every link. */
export function EndSession() {
  const t = useTexts();
  const isHydrated = useHydrated();
  const { step, submit } = useEndSession();
  useEffect(() => void fetchSession(), []);
  const isAsking = step !== "ended" && step !== "dead";
  return (
    <div data-kind="EndSession">
      <SplitPage title={t("endSession.title")} description={isAsking ? t("endSession.text") : null} seed="end-session">
        {/* The URL contains a secret token, so other sites must get no referrer. */}
        <meta name="referrer" content="same-origin" />
        {isHydrated ? <Outcome step={step} /> : <ReturnedOutcomes />}
        {isAsking && (
          <form method="post" action={actions.endSession} onSubmit={submit}>
            <Button type="submit" busy={step === "sending"} className="w-full">
              {t("endSession.action")}
            </Button>
          </form>
        )}
      </SplitPage>
    </div>
  );
}

function useEndSession() {
  const urlToken = useUrlToken();
  const isHydrated = useHydrated();
  const query = useQuery();
  const [step, setStep] = useState<Step>("asking");
  const token = useRef<string | null>(null);
  token.current ??= urlToken;
  const returned = returnedStep(query);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!token.current || step === "sending") return;
    setStep("sending");
    const answer = await sendEndSession(token.current);
    if (answer.ok) clearUrlToken();
    setStep(answer.ok ? "ended" : answer.problem.status === 404 ? "dead" : { failed: answer.problem });
  };

  // A reload has lost the token, which was removed from the URL.
  const isWithoutToken = isHydrated && token.current === null;
  const present = step === "asking" ? (returned ?? (isWithoutToken ? "dead" : step)) : step;
  return { step: present, submit: (event: FormEvent<HTMLFormElement>) => void submit(event) };
}

/** The form was posted before hydration. */
function returnedStep(query: URLSearchParams | null): Step | null {
  if (query?.get("done") === SESSION_ENDED) return "ended";
  const error = query?.get("error") ?? null;
  return DEAD_LINK.some((code) => code === error) ? "dead" : null;
}

function Outcome({ step }: { step: Step }) {
  if (step === "ended") return <Ended takesFocus />;
  if (step === "dead") return <Dead takesFocus />;
  return typeof step === "object" ? <Failed problem={step.failed} /> : null;
}

/** For browsers without scripts: all messages are in the page, and the fragment of the URL shows one. */
function ReturnedOutcomes() {
  const t = useTexts();
  const target = "hidden scroll-mt-24 target:block";
  return (
    <>
      <div id={SESSION_ENDED} className={target}>
        <Ended />
      </div>
      {DEAD_LINK.map((code) => (
        <div key={code} id={code} className={target}>
          <Dead />
        </div>
      ))}
      {FAILED.map((code) => (
        <div key={code} id={code} className={target}>
          <Notice tone="danger">
            <p>{t(code === "FAILED" ? "errors.generic" : "errors.tooMany")}</p>
          </Notice>
        </div>
      ))}
    </>
  );
}

interface OutcomeProps {
  takesFocus?: boolean;
}

function Ended({ takesFocus = false }: OutcomeProps) {
  const t = useTexts();
  return (
    <div className="space-y-6">
      <Notice ref={useFocus(takesFocus)} tone="success">
        <p>{t("endSession.done")}</p>
        <p>{t("endSession.advice")}</p>
      </Notice>
      <ButtonLink url="/forgot-password" className="w-full">
        {t("endSession.newPassword")}
      </ButtonLink>
    </div>
  );
}

function Dead({ takesFocus = false }: OutcomeProps) {
  const t = useTexts();
  return (
    <div className="space-y-6">
      <Notice ref={useFocus(takesFocus)} tone="danger">
        <p>{t("endSession.dead")}</p>
      </Notice>
      <ButtonLink url="/profile" variant="secondary" className="w-full">
        {t("endSession.account")}
      </ButtonLink>
    </div>
  );
}

function Failed({ problem: { code, status } }: { problem: Problem }) {
  const t = useTexts();
  const other = status === 429 ? "errors.tooMany" : "errors.generic";
  return (
    <Notice tone="danger">
      <p>{t(code === NETWORK_FAILURE ? "errors.network" : other)}</p>
    </Notice>
  );
}

function useFocus(takesFocus: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) element.current?.focus();
  }, [takesFocus]);
  return element;
}
