import { EmailSignup as EmailSignupFeature } from "~/features/account/email-signup";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function EmailSignup({ block }: BlockProps<"EmailSignup">) {
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id}>
      <EmailSignupFeature submitLabel={block.submitLabel} />
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose text-2xs text-muted" />}
    </SplitPage>
  );
}
