import { PaymentConfirmationGate } from "~/features/payment/return/payment-confirmation-gate";
import { useReportOrderPaid } from "~/lib/survey/use-order-paid";
import { Dusk } from "~/ui/art/dusk";
import { ContentButton } from "~/ui/button/content-button";
import { Picture } from "~/ui/picture/picture";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

type Props = BlockProps<"AlmostDonePage">;

export default function AlmostDonePage({ block }: Props) {
  return (
    <PaymentConfirmationGate>{(isMeant) => <AlmostDone block={block} isMeant={isMeant} />}</PaymentConfirmationGate>
  );
}

function AlmostDone({ block, isMeant }: Props & { isMeant: boolean }) {
  const customer = block.customer === "b2b" ? "b2b" : "follow-up";
  useReportOrderPaid(isMeant ? customer : null);
  return (
    <section className="wrap grid items-center gap-10 py-10 md:py-16 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.bodyHtml && <TrustedHtml html={block.bodyHtml} className="prose mt-5 text-lg text-muted" />}
        {block.action && <ContentButton button={block.action} className="mt-8 max-xs:w-full" />}
      </div>
      {block.artwork ? (
        <>
          <Picture image={block.artwork.mobile} className="w-full rounded-card md:hidden" />
          <Picture image={block.artwork.desktop} className="hidden w-full rounded-card md:block" />
        </>
      ) : (
        <Dusk seed={block.id} className="hidden aspect-square w-full lg:block" />
      )}
    </section>
  );
}
