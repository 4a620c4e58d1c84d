import { ContentButton } from "~/ui/button/content-button";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { Badge } from "../price-badge/badge";
import type { BlockProps } from "../registry";
import { Revolving } from "./revolving";

type HeroBlock = BlockProps<"SurveyLandingHero">["block"];

export default function SurveyLandingHero({ block }: BlockProps<"SurveyLandingHero">) {
  return (
    <section
      className={`wrap half grid items-center gap-10 pt-6 pb-14 md:pt-10 lg:gap-16 lg:pb-20 ${block.image ? "lg:grid-cols-[6fr_5fr]" : ""}`}
    >
      <div className={block.image ? "" : "mx-auto w-full max-w-text"}>
        {block.campaignBanner && <Banner banner={block.campaignBanner} />}
        {block.whatsNew && (
          <Link
            url={block.whatsNew.url}
            noFollow={block.whatsNew.noFollow}
            className="mb-5 inline-flex min-h-11 items-center gap-2 rounded-pill bg-mist px-4 text-sm font-semibold text-action hover:text-action-hover"
          >
            {block.whatsNew.text}
            <Icon name="arrow" mirrored className="size-4" />
          </Link>
        )}
        <TrustedHtml html={block.markdownHtml} className="prose hero-prose text-lg text-muted" />
        {block.revolvingTexts.length > 0 && <Revolving texts={block.revolvingTexts} />}
        {block.priceBadge && (
          <div className="mt-6">
            <Badge badge={block.priceBadge} />
          </div>
        )}
        {block.button && <ContentButton button={block.button} className="mt-6 max-xs:w-full" />}
        {block.iconMarkdown && <IconLine icon={block.iconMarkdown} />}
      </div>
      {block.image && (
        <Picture
          image={block.image}
          eager
          className="aspect-4/3 w-full rounded-card object-cover shadow-floating lg:aspect-[5/6]"
        />
      )}
    </section>
  );
}

function Banner({ banner }: { banner: NonNullable<HeroBlock["campaignBanner"]> }) {
  const className =
    "mb-5 flex min-h-11 w-fit items-center gap-2 rounded-field bg-warn-tint px-4 py-2 text-sm font-bold text-warn";
  if (!banner.url) return <p className={className}>{banner.text}</p>;
  return (
    <Link url={banner.url} className={`${className} underline-offset-4 hover:underline`}>
      {banner.text}
    </Link>
  );
}

function IconLine({ icon }: { icon: NonNullable<HeroBlock["iconMarkdown"]> }) {
  return (
    <div className="mt-8 flex items-center gap-4 border-t border-hairline pt-6">
      <span className="grid size-11 shrink-0 place-items-center rounded-field bg-success-tint text-success">
        <FeatureIcon name={icon.icon} />
      </span>
      <TrustedHtml html={icon.markdownHtml} className="prose text-sm text-muted" />
    </div>
  );
}
