import { useTexts } from "~/lib/i18n";
import { ButtonLink } from "~/ui/button/button-link";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function SocialSignIn({ block }: BlockProps<"SocialSignIn">) {
  const t = useTexts();
  return (
    <section className="wrap py-8 md:py-12">
      <div className="mx-auto max-w-form space-y-6">
        {block.heading && <h2 className="display text-center text-2xl">{block.heading}</h2>}
        <ContactLine email={block.contactEmail} subject={block.heading ?? t("auth.signIn")} />
        <ButtonLink url="/signin" variant="secondary" className="w-full">
          {t("auth.signIn")}
        </ButtonLink>
        {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose text-center text-2xs text-muted" />}
      </div>
    </section>
  );
}
