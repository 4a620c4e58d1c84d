import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { Notice } from "~/ui/notice/notice";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import { loadSamples, type Sample } from "./load";
import { SampleCard } from "./sample-card";

const SKELETONS = ["one", "two", "three"] as const;

export default function MeditationSampleCollection({ block }: BlockProps<"MeditationSampleCollection">) {
  const t = useTexts();
  const { samples, isMissing } = useSamples(block);
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} description={block.description} />
      {isMissing ? (
        <div className="mx-auto max-w-text">
          <Notice tone="info">{t("samples.missing")}</Notice>
        </div>
      ) : (
        <ul className="cards" aria-busy={samples.length === 0 || undefined}>
          {samples.length === 0
            ? SKELETONS.map((key) => <li key={key} className="skeleton h-28 rounded-card" />)
            : samples.map((sample) => <SampleCard key={sample.title} sample={sample} />)}
        </ul>
      )}
    </section>
  );
}

/** The block's own samples without a category, else those of the visitor's or the block's category. */
function useSamples({ samples, category }: BlockProps<"MeditationSampleCollection">["block"]) {
  const locale = localeOf(useLocation().pathname);
  const [loaded, setLoaded] = useState<Sample[] | null>([]);
  const isGiven = category === null && samples.length > 0;

  useEffect(() => {
    if (isGiven) return;
    let isStale = false;
    void loadSamples(locale, category).then((found) => {
      if (!isStale) setLoaded(found?.length ? found : null);
    });
    return () => {
      isStale = true;
    };
  }, [isGiven, locale, category]);

  // The block's own samples replace a category that cannot be loaded.
  if (isGiven || (loaded === null && samples.length > 0)) return { samples, isMissing: false };
  return { samples: loaded ?? [], isMissing: loaded === null };
}
