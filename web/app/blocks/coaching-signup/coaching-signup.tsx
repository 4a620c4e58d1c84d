import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function CoachingSignup({ block }: BlockProps<"CoachingSignup">) {
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id}>
      <ContactLine email={block.contactEmail} subject={block.title} />
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose text-2xs text-muted" />}
    </SplitPage>
  );
}
