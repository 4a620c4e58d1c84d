import type { BlockProps } from "../registry";
import { Badge } from "./badge";

export default function PriceBadge({ block }: BlockProps<"PriceBadge">) {
  return (
    <section className="wrap py-6 text-center">
      <Badge badge={block.badge} />
    </section>
  );
}
