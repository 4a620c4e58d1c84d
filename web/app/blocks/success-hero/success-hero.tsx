import { SuccessTick } from "~/ui/success-tick/success-tick";
import type { BlockProps } from "../registry";
import { InnerBlocks } from "../render";

export default function SuccessHero({ block }: BlockProps<"SuccessHero">) {
  return (
    <section className="wrap py-10 md:py-16">
      <div className="mx-auto max-w-[48rem]">
        <div className="mb-2 grid justify-items-center">
          <SuccessTick />
        </div>
        <div className="space-y-6">
          <InnerBlocks sections={block.sections} />
        </div>
      </div>
    </section>
  );
}
