import { settings } from "~/lib/server/settings.server";
import type { Data } from "../types";

export function presentMemberAccount(block: Data<"MemberAccount">) {
  const { stripePublishableKey, stripeJsUrl } = settings();
  const { id, title, description, emptyTitle, emptyText, plansButton, seller } = block;
  return {
    __typename: "MemberAccount" as const,
    id,
    title,
    description,
    seller,
    empty: { title: emptyTitle, text: emptyText, button: plansButton },
    stripe: { publishableKey: stripePublishableKey, scriptUrl: stripeJsUrl },
  };
}
