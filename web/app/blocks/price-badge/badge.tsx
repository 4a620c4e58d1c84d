import { useId } from "react";
import { useLocation } from "react-router";
import type { PriceBadgePartFragment } from "~/gen/graphql";
import { parseHex, toneOn } from "~/lib/format/colour";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { Link } from "~/ui/link/link";
import { BadgeIcon } from "./badge-icon";
import { type BadgeText, badgeText } from "./text";

const tones = { light: "text-white", dark: "text-night-deep" } as const;

/** The saving beside the price; a link if the badge has a URL. */
export function Badge({ badge }: { badge: PriceBadgePartFragment }) {
  const text = badgeText(badge, localeOf(useLocation().pathname));
  if (!text) return null;
  const colours = coloursOf(badge);
  const tone = colours[0] && toneOn(colours[0].rgb);
  const className = `relative isolate inline-flex max-w-full items-center gap-3 overflow-hidden rounded-field px-4 py-3 text-start ${tone ? tones[tone] : "bg-warn-tint text-warn"}`;
  const content = (
    <>
      {tone && <Background colours={colours.map(({ hex }) => hex)} />}
      {badge.iconName && <BadgeIcon name={badge.iconName} color={badge.iconColor} />}
      <span className="min-w-0 text-sm text-balance">
        {badge.discountText && (
          <span className="block font-bold">
            <bdi>{badge.discountText}</bdi>
          </span>
        )}
        <Prices text={text} strikeColor={parseHex(badge.actualPriceColor) && badge.actualPriceColor} />
      </span>
    </>
  );
  if (!badge.url) return <p className={className}>{content}</p>;
  return (
    <Link url={badge.url} className={`${className} transition duration-200 hover:shadow-raised`}>
      {content}
    </Link>
  );
}

function Prices({ text, strikeColor }: { text: BadgeText; strikeColor: string | null }) {
  const t = useTexts();
  const period = text.hasPeriod && <span> {t("badge.landingYear")}</span>;
  if (text.override) {
    return (
      <span className="money block">
        <bdi>{text.override}</bdi>
        {period}
      </span>
    );
  }
  const amount = text.amount && <strong className="money text-lg">{text.amount}</strong>;
  const actual = <StruckPrice price={text.actualPrice ?? ""} color={strikeColor} />;
  const instead = t("badge.insteadOf");
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {text.isInsteadBehind ? (
        <>
          {actual} <span>{instead}</span> {amount}
          {period}
        </>
      ) : (
        <>
          {amount}
          {amount && period} <span>{instead}</span> {actual}
          {!amount && period}
        </>
      )}
    </span>
  );
}

/** The strike-through has content's colour; the number stays readable. */
function StruckPrice({ price, color }: { price: string; color: string | null }) {
  return (
    <s className="money relative inline-block no-underline">
      {price}
      <svg aria-hidden="true" className="absolute inset-0 size-full" preserveAspectRatio="none" viewBox="0 0 10 10">
        <path d="M0 6h10" stroke={color ?? "currentColor"} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
    </s>
  );
}

function Background({ colours }: { colours: string[] }) {
  const id = useId();
  return (
    <svg aria-hidden="true" className="absolute inset-0 -z-10 size-full">
      <linearGradient id={id}>
        {colours.map((colour, index) => (
          <stop key={colour} offset={colours.length > 1 ? index / (colours.length - 1) : 0} stopColor={colour} />
        ))}
      </linearGradient>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}

/** The gradient's colours, or the background; only those on which the text is readable. */
function coloursOf(badge: PriceBadgePartFragment) {
  const given = badge.gradient?.split(",") ?? [badge.backgroundColor ?? ""];
  const parsed = given.flatMap((part) => {
    const rgb = parseHex(part);
    return rgb ? [{ hex: part.trim(), rgb }] : [];
  });
  const tone = parsed[0] && toneOn(parsed[0].rgb);
  return parsed.filter(({ rgb }) => tone !== null && toneOn(rgb) === tone);
}
