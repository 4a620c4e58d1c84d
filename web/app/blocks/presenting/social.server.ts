import { settings } from "~/lib/server/settings.server";

/** For blocks with the buttons of Apple, Google and Facebook; null where none of them is configured. */
export function withSocial<Block extends object>(block: Block) {
  const { social } = settings();
  const isConfigured = Object.values(social).some(Boolean);
  return { ...block, social: isConfigured ? social : null };
}
