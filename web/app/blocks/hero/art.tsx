import { BreathCaption, Dusk } from "~/ui/art/dusk";

export function Art({ seed }: { seed: string }) {
  return (
    <Dusk seed={seed} className="aspect-[4/3.4] w-full shadow-floating xs:aspect-[4/3] lg:aspect-[5/6]">
      <BreathCaption />
    </Dusk>
  );
}
