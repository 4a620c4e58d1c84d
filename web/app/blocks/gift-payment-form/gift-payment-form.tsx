import { ButtonLink } from "~/ui/button/button-link";
import type { BlockProps } from "../registry";
import { Purchase } from "../shared/purchase";

export default function GiftPaymentForm({ block }: BlockProps<"GiftPaymentForm">) {
  return (
    <Purchase {...block}>
      {block.builderPath && block.builderLabel && (
        <ButtonLink url={block.builderPath} variant="secondary" className="mt-6">
          {block.builderLabel}
        </ButtonLink>
      )}
    </Purchase>
  );
}
