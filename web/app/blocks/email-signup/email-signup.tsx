import { useTexts } from "~/lib/i18n";
import { ButtonLink } from "~/ui/button/button-link";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function EmailSignup({ block }: BlockProps<"EmailSignup">) {
  const t = useTexts();
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id}>
      <ContactLine email={block.contactEmail} subject={block.title} />
      <ButtonLink url="/signup" variant="secondary" className="w-full">
        {t("auth.createAccount")}
      </ButtonLink>
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose text-2xs text-muted" />}
    </SplitPage>
  );
}
