import type { ReactNode } from "react";

const lotus = (
  <path d="M12 19c-4.5 0-8.5-2.3-9.5-6.5 2.3-.4 4.3 0 5.8 1.1C7.5 10.5 9 7.5 12 5c3 2.5 4.5 5.5 3.7 8.6 1.5-1.1 3.5-1.5 5.8-1.1-1 4.2-5 6.5-9.5 6.5Zm0 0c-1.8-1.3-3.1-3.1-3.7-5.4M12 19c1.8-1.3 3.1-3.1 3.7-5.4" />
);

/** The icons editors may name. A name we do not draw gets the lotus. */
const icons: Record<string, ReactNode> = {
  lotus,
  meditation: lotus,
  breath: <path d="M3 9h10.5a2.5 2.5 0 1 0-2.5-2.5M3 13h15a2.7 2.7 0 1 1-2.7 2.7M3 17h7.5a2.2 2.2 0 1 1-2.2 2.2" />,
  moon: <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5ZM17 4v3m-1.5-1.5h3" />,
  coach: (
    <>
      <path d="M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5v-7Z" />
      <path d="M8.5 10h.01M12 10h.01M15.5 10h.01" />
    </>
  ),
  heart: <path d="M12 20s-8-4.7-8-10.7A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15.3 12 20 12 20Z" />,
  music: (
    <>
      <path d="M9 17.5V6l10-2v11.5" />
      <circle cx="6.5" cy="17.5" r="2.5" />
      <circle cx="16.5" cy="15.5" r="2.5" />
    </>
  ),
  focus: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <circle cx="12" cy="12" r="4.5" />
      <circle cx="12" cy="12" r=".75" />
    </>
  ),
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1" />
    </>
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="14.5" rx="2.5" />
      <path d="M4 10h16M8.5 3.5v3.5M15.5 3.5v3.5" />
    </>
  ),
  shield: <path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.5 7 9 4.1-1.5 7-4.7 7-9V6l-7-2.5Zm-3 8.5 2.2 2.2L15.5 10" />,
};

const aliases: Record<string, string> = {
  air: "breath",
  breathing: "breath",
  wind: "breath",
  wave: "breath",
  waves: "breath",
  sleep: "moon",
  night: "moon",
  coaching: "coach",
  chat: "coach",
  therapy: "heart",
  care: "heart",
  sound: "music",
  sounds: "music",
  target: "focus",
  morning: "sun",
  day: "sun",
  program: "calendar",
  programme: "calendar",
  privacy: "shield",
  lock: "shield",
};

export function FeatureIcon({ name }: { name: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {icons[aliases[name] ?? name] ?? lotus}
    </svg>
  );
}
