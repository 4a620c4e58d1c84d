import { ContactLine } from "~/ui/contact-line/contact-line";
import { SplitPage } from "~/ui/split-page/split-page";
import type { BlockProps } from "../registry";

export default function AccountLink({ block }: BlockProps<"AccountLink">) {
  return (
    <SplitPage title={block.title} description={block.description} seed={block.id}>
      <ContactLine email={block.contactEmail} subject={block.title} />
    </SplitPage>
  );
}
