import { useId } from "react";
import "~/lib/i18n/withdrawal";
import { DeclareStep } from "./declare-step";
import { Receipt } from "./receipt";
import { ReviewStep } from "./review-step";
import { useWithdrawal } from "./use-withdrawal";

interface WithdrawalFormProps {
  title: string;
  description: string | null;
}

/** Two steps, as EU law requires: declare and confirm. Then a receipt. */
export function WithdrawalForm({ title, description }: WithdrawalFormProps) {
  const id = useId();
  const withdrawal = useWithdrawal();
  const { state } = withdrawal;
  if (state.at === "received") return <Receipt draft={state.draft} receipt={state.receipt} />;
  return (
    <section aria-labelledby={id} className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <h2 id={id} className="display text-2xl">
        {title}
      </h2>
      {description && <p className="mt-2 text-muted">{description}</p>}
      {state.at === "filling" ? (
        <DeclareStep withdrawal={withdrawal} again={state.again} />
      ) : (
        <ReviewStep withdrawal={withdrawal} draft={state.draft} problem={state.problem} busy={state.at === "sending"} />
      )}
    </section>
  );
}
