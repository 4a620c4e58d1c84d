import { useLocation } from "react-router";
import { PaymentConfirmationGate } from "~/features/payment/return/payment-confirmation-gate";
import { useAutoSignin } from "~/lib/handoff/auto-signin";
import { useTexts } from "~/lib/i18n";
import { customerOf } from "~/lib/survey/survey-order";
import { useReportOrderPaid } from "~/lib/survey/use-order-paid";
import { Dusk } from "~/ui/art/dusk";
import { ButtonLink } from "~/ui/button/button-link";
import { Picture } from "~/ui/picture/picture";
import { SuccessTick } from "~/ui/success-tick/success-tick";
import type { BlockProps } from "../registry";
import { QrPanel } from "./qr-panel";

type Props = BlockProps<"SuccessPage">;

export default function SuccessPage({ block }: Props) {
  return <PaymentConfirmationGate>{(isMeant) => <Success block={block} isMeant={isMeant} />}</PaymentConfirmationGate>;
}

function Success({ block, isMeant }: Props & { isMeant: boolean }) {
  const customer = customerOf(useLocation().pathname);
  useAutoSignin();
  useReportOrderPaid(isMeant ? customer : null);
  return (
    <section className="wrap grid gap-10 py-10 md:py-16 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <SuccessTick />
        <h1 className="display mt-6 text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        <Steps steps={block.steps} />
      </div>
      <div className="lg:sticky lg:top-24 lg:self-start">
        {block.image && <SuccessImage image={block.image} />}
        {block.qrCode ? (
          <QrPanel qrCode={block.qrCode} drawing={block.qrDrawing} />
        ) : (
          !block.image && <Dusk seed={block.id} className="hidden aspect-square w-full lg:block" />
        )}
      </div>
    </section>
  );
}

function Steps({ steps }: { steps: BlockProps<"SuccessPage">["block"]["steps"] }) {
  const t = useTexts();
  return (
    <>
      <h2 className="mt-10 text-lg font-bold">{t("success.next")}</h2>
      <ol className="mt-4">
        {steps.map((step, index) => (
          <li key={step.text} className="group relative flex gap-4 pb-7 last:pb-0">
            <span className="absolute inset-y-0 start-[1.0625rem] w-px bg-hairline group-last:hidden" />
            <span className="money relative grid size-9 shrink-0 place-items-center rounded-pill bg-mist text-sm font-bold text-action">
              {index + 1}
            </span>
            <div className="pt-1.5">
              <p>{step.text}</p>
              {step.actionLink && (
                <ButtonLink
                  url={step.actionLink.url}
                  deepLink={step.actionLink.deepLink}
                  variant={index === 0 ? "primary" : "secondary"}
                  size="compact"
                  className="mt-3"
                >
                  {step.actionLink.text}
                </ButtonLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function SuccessImage({ image }: { image: NonNullable<BlockProps<"SuccessPage">["block"]["image"]> }) {
  return (
    <>
      <Picture image={image.mobile} className="w-full rounded-card md:hidden" />
      <Picture image={image.desktop} className="hidden w-full rounded-card md:block" />
    </>
  );
}
