import { settings } from "~/lib/server/settings.server";

/** For blocks with social sign-in; null where no provider is configured. */
export function withSocial<Block extends object>(block: Block) {
  const { social } = settings();
  const isConfigured = Object.values(social).some(Boolean);
  return { ...block, social: isConfigured ? social : null };
}
