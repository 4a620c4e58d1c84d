import { useLocation } from "react-router";
import type { FooterRecordFragment } from "~/gen/graphql";
import { type Locale, localeOf } from "~/lib/locale";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";

type SocialUrls = FooterRecordFragment["socialUrls"];
type Network = Exclude<keyof SocialUrls, "__typename">;

const networks: Record<Network, string> = {
  instagram: "Instagram",
  facebook: "Facebook",
  telegram: "Telegram",
  youtube: "YouTube",
  linkedin: "LinkedIn",
  x: "X",
};

/** As specified: Russian pages show only Telegram, all others show everything but Telegram. */
function isShown(locale: Locale, network: Network): boolean {
  return (network === "telegram") === (locale === "ru");
}

export function SocialLinks({ urls }: { urls: SocialUrls }) {
  const locale = localeOf(useLocation().pathname);
  const listed = (Object.keys(networks) as Network[]).filter((network) => urls[network] && isShown(locale, network));
  if (listed.length === 0) return null;
  return (
    <ul className="-ms-3 mt-6 flex">
      {listed.map((network) => (
        <li key={network}>
          <Link
            url={urls[network] ?? ""}
            className="grid size-11 place-items-center rounded-pill text-muted transition duration-200 hover:text-ink"
          >
            <Icon name={`social-${network}`} className="size-5.5" />
            <span className="sr-only">{networks[network]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
