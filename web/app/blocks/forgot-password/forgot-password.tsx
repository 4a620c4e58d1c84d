import { useTexts } from "~/lib/i18n";
import { ContactLine } from "~/ui/contact-line/contact-line";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function ForgotPassword({ block }: BlockProps<"ForgotPassword">) {
  const t = useTexts();
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id}>
      <ContactLine email={block.contactEmail} subject={block.title} />
      <Link url="/signin" className="inline-flex min-h-11 items-center gap-2 font-bold text-action">
        <span className="-scale-x-100">
          <Icon name="arrow" mirrored className="size-4.5" />
        </span>
        {block.goBackText ?? t("nav.back")}
      </Link>
    </SplitPage>
  );
}
