import { useTexts } from "~/lib/i18n";
import { SectionHeader } from "~/ui/section-header/section-header";
import { StoryCard } from "~/ui/story-card/story-card";
import type { BlockProps } from "../registry";

export default function ReadMoreArticles({ block }: BlockProps<"ReadMoreArticles">) {
  const t = useTexts();
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} description={block.description} />
      <ul className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {block.articles.map((article) => (
          <li key={article.url}>
            <StoryCard
              {...article}
              action={article.linkText ?? t("articles.read")}
              heading={block.heading ? "h3" : "h2"}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
