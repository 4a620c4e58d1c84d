import { offerLanguage, visitorCountry } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import { currentUser } from "~/lib/session/session";
import { storedTracking } from "~/lib/tracking";
import { linkPaypal, sendPaypalTracking } from "../api";
import type { ApprovalPorts } from "./approval";
import { removePersistedApproval } from "./persisted-approval";

export const approvalPorts: ApprovalPorts = {
  link: async (approval) =>
    linkPaypal({
      approval,
      userId: currentUser()?.user_id ?? "",
      country: await visitorCountry(),
      language: offerLanguage(localeOf(window.location.pathname)),
      tracking: storedTracking(),
    }),
  sendTracking: (subscriptionId) => sendPaypalTracking(subscriptionId, storedTracking()),
  forget: removePersistedApproval,
};
