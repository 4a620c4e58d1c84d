import type { BlockProps } from "../registry";
import { Badge } from "./badge";

export default function PriceBadge({ block }: BlockProps<"PriceBadge">) {
  return (
    <section className="wrap afterword py-6 text-center in-[.landing-hero]:text-start in-[.nested]:py-0">
      <Badge badge={block.badge} />
    </section>
  );
}
