import type { FooterRecordFragment } from "~/gen/graphql";
import type { Locale } from "~/lib/locale";
import { Link } from "~/ui/link/link";

type SocialUrls = FooterRecordFragment["socialUrls"];
type Network = Exclude<keyof SocialUrls, "__typename">;

const networks: Record<Network, { name: string; shape: string }> = {
  instagram: {
    name: "Instagram",
    shape:
      "M7 2.5h10A4.5 4.5 0 0 1 21.5 7v10a4.5 4.5 0 0 1-4.5 4.5H7A4.5 4.5 0 0 1 2.5 17V7A4.5 4.5 0 0 1 7 2.5Zm5 5.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm5.2-1.7h.01",
  },
  facebook: { name: "Facebook", shape: "M15.5 3.5H13a4 4 0 0 0-4 4V11H6.5v3.5H9V21h3.5v-6.5h2.7l.6-3.5h-3.3V8a1 1 0 0 1 1-1h2v-3.5Z" },
  telegram: { name: "Telegram", shape: "m21 4.5-18.5 7 6 2 2 6 3.2-3.7 5 3.7L21 4.5Zm0 0L8.5 13.5" },
  youtube: {
    name: "YouTube",
    shape: "M4.5 6C7 5.3 17 5.3 19.5 6A2.5 2.5 0 0 1 21.3 8c.5 2.6.5 5.4 0 8a2.5 2.5 0 0 1-1.8 2c-2.5.7-12.5.7-15 0A2.5 2.5 0 0 1 2.7 16c-.5-2.6-.5-5.4 0-8a2.5 2.5 0 0 1 1.8-2ZM10 9v6l5-3-5-3Z",
  },
  linkedin: { name: "LinkedIn", shape: "M5 9.5V20M5 5v.01M10 20V9.5m0 5a4 4 0 0 1 4-4.5c2.5 0 4.5 1.5 4.5 5V20" },
  x: { name: "X", shape: "M4 4l16 16M20 4 4 20" },
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
          <Link url={urls[network] ?? ""} className="grid size-11 place-items-center rounded-pill text-lav transition duration-200 hover:text-white">
            <svg
              viewBox="0 0 24 24"
              width="22"
              height="22"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeLinejoin="round"
              aria-hidden="true"
            >
              <path d={networks[network].shape} />
            </svg>
            <span className="sr-only">{networks[network].name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
