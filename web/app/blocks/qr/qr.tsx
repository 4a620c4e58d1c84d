import { LotusMark } from "~/ui/art/lotus";
import { ButtonLink } from "~/ui/button/button-link";
import { Picture } from "~/ui/picture/picture";
import { QrCode } from "~/ui/qr/qr-code";
import type { BlockProps } from "../registry";

type QrBlock = BlockProps<"Qr">["block"];

/** A code on larger screens, a button on phones. */
export default function Qr({ block }: BlockProps<"Qr">) {
  return (
    <section className="wrap section">
      <div className="grid items-center gap-8 rounded-card bg-mist p-6 md:grid-cols-[1fr_auto] md:gap-14 md:p-12">
        <div>
          <LotusMark className="mb-5 h-9 w-auto text-action" />
          {block.heading && <h2 className="display text-3xl">{block.heading}</h2>}
          {block.body && <p className="hero-lede mt-4 text-lg text-muted">{block.body}</p>}
          {block.openLabel && (
            <ButtonLink url={block.url} deepLink={block.deepLink} className="mt-6 max-xs:w-full">
              {block.openLabel}
            </ButtonLink>
          )}
        </div>
        <Code block={block} />
      </div>
    </section>
  );
}

function Code({ block }: { block: QrBlock }) {
  return (
    <div className="hidden text-center md:block">
      <div className="w-fit rounded-field bg-white p-2 shadow-raised">
        {block.image ? (
          <Picture image={block.image} className="size-[200px]" />
        ) : (
          block.drawing && <QrCode drawing={block.drawing} />
        )}
      </div>
      <p className="mt-3 max-w-[216px] text-2xs wrap-anywhere text-muted" dir="ltr">
        {block.url.replace(/^https:\/\//, "")}
      </p>
    </div>
  );
}
