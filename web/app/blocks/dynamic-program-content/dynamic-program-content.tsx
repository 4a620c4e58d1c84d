import { useVisitorSurvey } from "~/features/survey/survey";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

/** The programme suggested for the answers, else the block's own. */
export default function DynamicProgramContent({ block }: BlockProps<"DynamicProgramContent">) {
  const survey = useVisitorSurvey();
  const own = survey ? block.ownPrograms.find(({ id }) => id === survey.program) : undefined;
  const program = own ?? block;
  return (
    <section key={own?.id ?? ""} className={`wrap py-10 md:py-16 ${own ? "animate-enter" : ""}`}>
      <header className="max-w-text">
        <h1 className="display text-display">{program.title}</h1>
        {program.description && <p className="hero-lede mt-5 text-lg text-muted">{program.description}</p>}
      </header>
      <ol className="mt-10 grid gap-4 md:mt-14 md:grid-cols-2 md:gap-6">
        {program.programItems.map((item, index) => (
          <li key={item.title} className="flex gap-5 rounded-card bg-card p-5 shadow-rest md:p-6">
            {item.image ? (
              <Picture image={item.image} className="size-20 shrink-0 rounded-field object-cover md:size-24" />
            ) : (
              <span className="money display grid size-12 shrink-0 place-items-center rounded-pill bg-mist text-xl text-action">
                {index + 1}
              </span>
            )}
            <div>
              <h2 className="text-lg font-bold">{item.title}</h2>
              {item.durationText && <p className="mt-0.5 text-2xs font-semibold text-action">{item.durationText}</p>}
              {item.text && <p className="mt-2 text-sm text-muted">{item.text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
