import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";
import { columnsOf } from "./columns";
import "./trainer-hero.css";

type Trainer = BlockProps<"TrainerHero">["block"]["trainers"][number];

export default function TrainerHero({ block }: BlockProps<"TrainerHero">) {
  return (
    <section className="wrap half grid items-center gap-10 pt-8 pb-14 md:pt-12 lg:grid-cols-[6fr_5fr] lg:gap-16 lg:pb-20">
      <div>
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        {block.buttons.length > 0 && (
          <div className="mt-8 flex flex-wrap items-center gap-x-4 gap-y-3">
            {block.buttons.map((button) => (
              <ContentButton key={button.url + button.text} button={button} className="max-xs:w-full" />
            ))}
          </div>
        )}
      </div>
      <Gliding trainers={block.trainers} />
    </section>
  );
}

/** Two columns that scroll in opposite directions. Each person is announced once. */
function Gliding({ trainers }: { trainers: Trainer[] }) {
  const t = useTexts();
  const [isPaused, setPaused] = useState(false);
  return (
    <div className="relative">
      <div
        className="trainers grid grid-cols-2 gap-4 motion-safe:h-[26rem] motion-safe:overflow-hidden motion-safe:lg:h-[36rem]"
        data-paused={isPaused || undefined}
      >
        {columnsOf(trainers, 2).map((column, index) => (
          <div key={column[0]?.name ?? index} className={index % 2 ? "glide glide-back" : "glide"}>
            <Portraits trainers={column} />
            <div aria-hidden="true" className="glide-again">
              <Portraits trainers={column} />
            </div>
          </div>
        ))}
      </div>
      <button
        type="button"
        aria-pressed={isPaused}
        aria-label={t("art.pause")}
        onClick={() => setPaused(!isPaused)}
        className="absolute end-3 bottom-3 grid size-11 place-items-center motion-reduce:hidden rounded-pill bg-card text-ink shadow-raised hover:text-action"
      >
        <Icon name={isPaused ? "play" : "pause"} />
      </button>
    </div>
  );
}

function Portraits({ trainers }: { trainers: Trainer[] }) {
  return (
    <ul>
      {trainers.map((trainer) => (
        <li key={trainer.name} className="pb-4">
          <figure className="overflow-hidden rounded-card bg-card shadow-rest">
            <Picture image={trainer.picture} className="aspect-square w-full object-cover" eager />
            <figcaption className="px-4 py-3 text-2xs">
              <span className="block font-bold">{trainer.name}</span>
              {trainer.title && <span className="block text-muted">{trainer.title}</span>}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
