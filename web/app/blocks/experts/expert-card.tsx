import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type Expert = BlockProps<"Experts">["block"]["experts"][number];

export function ExpertCard({ expert, heading: Heading }: { expert: Expert; heading: "h2" | "h3" }) {
  const t = useTexts();
  return (
    <article className="grid h-full content-start gap-6 rounded-card bg-card p-6 shadow-rest md:grid-cols-[14rem_1fr] md:gap-10 md:p-10">
      <Picture
        image={expert.picture ?? artFor("avatar", expert.name)}
        className="aspect-square w-full max-w-56 rounded-card object-cover max-md:size-28"
      />
      <div className="min-w-0">
        <Heading className="display text-2xl">
          <bdi>{expert.name}</bdi>
        </Heading>
        {expert.title && <p className="mt-1 font-semibold text-action">{expert.title}</p>}
        {expert.educationAndTraining && (
          <Part title={t("experts.training")}>
            <p className="text-sm whitespace-pre-line text-muted">{expert.educationAndTraining}</p>
          </Part>
        )}
        {expert.aboutMe && (
          <Part title={t("experts.about")}>
            <p className="text-muted">{expert.aboutMe}</p>
          </Part>
        )}
        {expert.focusAreaList.length > 0 && (
          <Part title={t("experts.focus")}>
            <ul className="flex flex-wrap gap-2">
              {expert.focusAreaList.map((area) => (
                <li key={area} className="rounded-pill bg-mist px-3.5 py-1.5 text-2xs font-semibold text-action">
                  {area}
                </li>
              ))}
            </ul>
          </Part>
        )}
      </div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-5">
      <p className="mb-1.5 text-2xs font-bold">{title}</p>
      {children}
    </div>
  );
}
