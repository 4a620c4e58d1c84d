import type { FooterRecordFragment } from "~/gen/graphql";
import type { Locale } from "~/lib/locale";
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

/** Russian visitors get Telegram in place of Instagram and Facebook, everybody else the other way round. */
function shown(locale: Locale, network: Network): boolean {
  if (locale === "ru") return network !== "instagram" && network !== "facebook";
  return network !== "telegram";
}

export function SocialLinks({ urls, locale }: { urls: SocialUrls; locale: Locale }) {
  const listed = (Object.keys(networks) as Network[]).filter((network) => urls[network] && shown(locale, network));
  if (listed.length === 0) return null;
  return (
    <ul className="-ms-3 mt-6 flex">
      {listed.map((network) => (
        <li key={network}>
          <Link
            url={urls[network] ?? ""}
            className="grid size-11 place-items-center rounded-pill text-lav transition duration-200 hover:text-white"
          >
            <Icon name={`social-${network}`} className="size-5.5" />
            <span className="sr-only">{networks[network]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
