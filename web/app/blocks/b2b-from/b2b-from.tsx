import { ContactLine } from "~/ui/contact-line/contact-line";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";
import { BusinessPage } from "../shared/business-page";

export default function B2bFrom({ block }: BlockProps<"B2bFrom">) {
  return (
    <BusinessPage
      seed={block.id}
      sideTitle={block.sideTitle}
      sideText={block.sideText}
      sideItems={block.sideItems}
      sideImage={null}
      heading={block.formHeading}
    >
      <ContactLine email={block.contactEmail} subject={block.formHeading} />
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose mt-4 text-2xs text-muted" />}
    </BusinessPage>
  );
}
