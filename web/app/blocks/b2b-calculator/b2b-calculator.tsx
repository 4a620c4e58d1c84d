import { ContactLine } from "~/ui/contact-line/contact-line";
import { Link } from "~/ui/link/link";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";
import { BusinessPage } from "../shared/business-page";

export default function B2bCalculator({ block }: BlockProps<"B2bCalculator">) {
  return (
    <BusinessPage
      seed={block.id}
      sideTitle={block.title}
      sideText={block.description}
      sideItems={[]}
      sideImage={null}
      heading={block.formHeading}
    >
      <ContactLine email={block.contactEmail} subject={block.title} />
      {(block.manySeatsNote || block.contact) && (
        <p className="mt-5 text-sm text-muted">
          {block.manySeatsNote}{" "}
          {block.contact && (
            <Link
              url={block.contact.url}
              noFollow={block.contact.noFollow}
              className="font-bold text-action underline underline-offset-4"
            >
              {block.contact.text}
            </Link>
          )}
        </p>
      )}
      {block.noteHtml && <TrustedHtml html={block.noteHtml} className="prose mt-4 text-2xs text-muted" />}
    </BusinessPage>
  );
}
