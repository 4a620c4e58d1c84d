import { Dialog } from "~/ui/dialog/dialog";
import { Picture } from "~/ui/picture/picture";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { BlockProps } from "../registry";

export default function WhyNowDialog({ block }: BlockProps<"WhyNowDialog">) {
  return (
    <div className="wrap afterword py-8 text-center">
      <Dialog trigger={block.triggerText} title={block.title}>
        {block.image && <Picture image={block.image} className="mb-6 aspect-[2/1] w-full rounded-card object-cover" />}
        <TrustedHtml html={block.textHtml} className="prose text-muted" />
      </Dialog>
    </div>
  );
}
