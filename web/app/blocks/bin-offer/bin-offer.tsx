import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { Dusk } from "~/ui/art/dusk";
import { ContentButton } from "~/ui/button/content-button";
import { ConfirmDialog } from "~/ui/dialog/confirm-dialog";
import { Notice } from "~/ui/notice/notice";
import { PlanPrice } from "../plan-list/plan-price";
import type { BlockProps } from "../registry";
import { CardCheck } from "./card-check";
import { useBinCheck } from "./use-bin-check";

type Props = BlockProps<"BinOffer">;

const OTHER_OFFER = "/offers/free-trial";

export default function BinOffer({ block }: Props) {
  const check = useBinCheck();
  return (
    <section className="wrap grid items-start gap-10 py-8 md:py-14 lg:grid-cols-[6fr_5fr] lg:gap-16">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.body && <p className="hero-lede mt-5 text-lg text-muted">{block.body}</p>}
        <div className="mt-8 max-w-form space-y-6">
          <CardCheck check={check} label={block.cardLabel} hint={block.cardHint} submitLabel={block.checkLabel} />
          {check.status === "eligible" && <Eligible block={block} />}
        </div>
        {check.status === "rejected" && <Rejected block={block} onClose={check.reset} />}
      </div>
      <Dusk seed={block.id} className="hidden aspect-square w-full lg:block" />
    </section>
  );
}

function Eligible({ block }: Props) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div className="animate-enter">
      <Notice ref={notice} tone="success" {...(block.eligibleTitle && { title: block.eligibleTitle })}>
        {block.eligibleText && <p>{block.eligibleText}</p>}
      </Notice>
      <PlanPrice price={block.price} label={null} />
      <ContentButton button={block.payButton} className="mt-6 w-full" />
    </div>
  );
}

/** The dialog leads to the other offer; closing it allows another card. */
function Rejected({ block, onClose }: Props & { onClose: () => void }) {
  const navigate = useNavigate();
  const locale = localeOf(useLocation().pathname);
  const close = (goesOn: boolean) => {
    onClose();
    if (goesOn) void navigate(internalHref(block.rejectedPath ?? OTHER_OFFER, locale), { viewTransition: true });
  };
  return (
    <ConfirmDialog
      kind="warning"
      title={block.rejectedTitle}
      text={block.rejectedText}
      confirmLabel={block.continueLabel}
      onClose={close}
    />
  );
}
