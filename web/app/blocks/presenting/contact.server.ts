import { settings } from "~/lib/server/settings.server";

/** For blocks whose action is not here yet: whom to write to instead. */
export function withContact<Block extends object>(block: Block): Block & { contactEmail: string } {
  return { ...block, contactEmail: settings().contactEmail };
}
