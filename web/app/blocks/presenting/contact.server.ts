import { settings } from "~/lib/server/settings.server";

/** For blocks whose action is not available yet: the contact address. */
export function withContact<Block extends object>(block: Block): Block & { contactEmail: string } {
  return { ...block, contactEmail: settings().contactEmail };
}
