import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { type PaymentVerdict, paymentVerdict } from "~/lib/payment-return";
import { useQuery } from "~/lib/query";
import { ContentButton } from "~/ui/button/content-button";
import { Icon, type IconName } from "~/ui/icon/icon";
import { Spinner } from "~/ui/spinner/spinner";
import type { BlockProps } from "../registry";

type Look = { box: string; icon: IconName };

const looks: Record<PaymentVerdict, Look> = {
  paid: { box: "success-tick bg-success-tint text-success", icon: "check" },
  failed: { box: "bg-danger-tint text-danger", icon: "alert" },
  unknown: { box: "bg-mist text-action", icon: "card" },
};

/** How a payment went that was finished elsewhere. */
export default function PaymentReturn({ block }: BlockProps<"PaymentReturn">) {
  const t = useTexts();
  const query = useQuery();
  const verdict = query && paymentVerdict(query);
  const texts = {
    paid: { title: block.successTitle, text: block.successText },
    failed: { title: block.failureTitle, text: block.failureText },
    unknown: { title: t("paymentReturn.unknownTitle"), text: t("paymentReturn.unknown") },
  };
  const shown = verdict ? texts[verdict] : { title: block.checkingTitle ?? t("paymentReturn.checking"), text: null };
  return (
    <section className="wrap flex min-h-[28rem] flex-col items-center pt-24 pb-12 text-center">
      <Mark verdict={verdict} />
      {/* Words that came are other words: with keys of their own they appear instead of being moved. */}
      <div role="status" className="mt-8 w-full">
        <h1 key={shown.title} className="display text-3xl">
          {shown.title}
        </h1>
        {shown.text && <p className="mx-auto mt-4 max-w-text text-lg text-balance text-muted">{shown.text}</p>}
      </div>
      {verdict && block.action && <ContentButton button={block.action} className="mt-8" />}
    </section>
  );
}

function Mark({ verdict }: { verdict: PaymentVerdict | null }) {
  if (!verdict) {
    return (
      <span className="grid size-16 place-items-center rounded-pill bg-mist text-action">
        <Spinner className="size-8" />
      </span>
    );
  }
  return (
    <span className={`grid size-16 place-items-center rounded-pill ${looks[verdict].box}`}>
      <Icon name={looks[verdict].icon} className="size-8" />
    </span>
  );
}
