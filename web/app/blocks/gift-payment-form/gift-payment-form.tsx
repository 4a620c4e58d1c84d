import { ButtonLink } from "~/ui/button/button-link";
import { Purchase } from "../purchase";
import type { BlockProps } from "../registry";

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
