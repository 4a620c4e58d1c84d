import { ButtonLink } from "~/ui/button/button-link";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { Icon } from "~/ui/icon/icon";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

const DOWNLOAD_PAGE = "/success/coaching/downloadapp";

export default function CoachingChat({ block }: BlockProps<"CoachingChat">) {
  return (
    <section className="wrap py-8 md:py-12">
      <div className="mx-auto max-w-[45rem] rounded-card bg-card p-6 shadow-raised md:p-10">
        <span className="grid size-12 place-items-center rounded-pill bg-mist text-action">
          <Icon name="feature-coach" className="size-6" />
        </span>
        <h1 className="display mt-5 text-3xl">{block.title}</h1>
        {block.replyTimeText && (
          <p className="mt-3 flex items-center gap-2 text-sm font-semibold text-muted">
            <Icon name="clock" className="size-4.5 text-action" />
            {block.replyTimeText}
          </p>
        )}
        {block.unavailableText && <p className="mt-5 text-muted">{block.unavailableText}</p>}
        <div className="mt-8">
          <ContactLine email={block.contactEmail} subject={block.title} />
        </div>
        {block.downloadLabel && (
          <ButtonLink url={block.downloadUrl ?? DOWNLOAD_PAGE} variant="secondary" className="mt-6 max-xs:w-full">
            {block.downloadLabel}
          </ButtonLink>
        )}
        {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose mt-6 text-2xs text-muted" />}
      </div>
    </section>
  );
}
