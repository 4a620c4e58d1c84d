import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ButtonLink } from "~/ui/button/button-link";
import { buttonClass } from "~/ui/button/styles";
import { Icon, type IconName } from "~/ui/icon/icon";
import { Spinner } from "~/ui/spinner/spinner";
import type { ReturnState } from "./return-state";

type StepStyle = { box: string; icon: IconName };

const failure: StepStyle = { box: "bg-danger-tint text-danger", icon: "alert" };

/** A running check has only a spinner. */
const styles: Record<Exclude<ReturnState["step"], "asking" | "unanswered" | "checking">, StepStyle> = {
  paid: { box: "success-tick bg-success-tint text-success", icon: "check" },
  failed: failure,
  declined: failure,
  unconfirmed: failure,
  unknown: { box: "bg-mist text-action", icon: "card" },
};

/** Only Platron offers a retry, and its buyers read Russian. */
const RETRY_LABEL = "Пожалуйста, попробуйте еще раз";

interface PaymentOutcomeProps {
  /** Null: not known yet. */
  state: ReturnState | null;
  title: string;
  text: string | null;
  /** Sent beside a page that has its own heading. */
  isFallback?: boolean;
  /** Links to continue after success. */
  children?: ReactNode;
}

export function PaymentOutcome({ state, title, text, isFallback, children }: PaymentOutcomeProps) {
  const t = useTexts();
  const Title = isFallback ? "p" : "h1";
  const retryUrl = state && "retryUrl" in state ? state.retryUrl : null;
  return (
    <section
      data-outcome={state?.step ?? ""}
      className="wrap flex min-h-[28rem] flex-col items-center pt-24 pb-12 text-center"
    >
      <StepIcon step={state?.step ?? null} />
      {/* New texts get new keys, so that they fade in instead of moving. */}
      <div role="status" className="mt-8 w-full">
        <Title key={title} className="display text-3xl">
          {title}
        </Title>
        {text && <p className="mx-auto mt-4 max-w-text text-lg text-balance text-muted">{text}</p>}
        {state?.step === "checking" && (
          <p className="mx-auto mt-3 max-w-text text-balance text-muted">{t("checkout.pendingLeave")}</p>
        )}
      </div>
      {state?.step === "checking" && (
        <ButtonLink url="/account" variant="secondary" className="mt-8">
          {t("checkout.toSubscription")}
        </ButtonLink>
      )}
      {retryUrl && (
        <a href={retryUrl} lang="ru" dir="ltr" className={buttonClass({ className: "mt-8" })}>
          {RETRY_LABEL}
        </a>
      )}
      {children}
    </section>
  );
}

function StepIcon({ step }: { step: ReturnState["step"] | null }) {
  if (!step || step === "asking" || step === "unanswered" || step === "checking") {
    return (
      <span className="grid size-16 place-items-center rounded-pill bg-mist text-action">
        <Spinner className="size-8" />
      </span>
    );
  }
  return (
    <span className={`grid size-16 place-items-center rounded-pill ${styles[step].box}`}>
      <Icon name={styles[step].icon} className="size-8" />
    </span>
  );
}
