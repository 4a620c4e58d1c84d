import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { SectionHeader } from "~/ui/section-header/section-header";
import { StoryCard } from "~/ui/story-card/story-card";
import type { BlockProps } from "../registry";

export default function ReadMoreArticles({ block }: BlockProps<"ReadMoreArticles">) {
  const t = useTexts();
  const isIllustrated = block.articles.some(({ image }) => image);
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} description={block.description} />
      <ul className="cards">
        {block.articles.map((article) => (
          <li key={article.url}>
            <StoryCard
              {...article}
              image={article.image ?? (isIllustrated ? artFor("cover", article.url) : null)}
              action={article.linkText ?? t("articles.read")}
              heading={block.heading ? "h3" : "h2"}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
