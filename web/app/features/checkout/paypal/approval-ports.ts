import { offerLanguage, visitorCountry } from "~/lib/country";
import { localeOf } from "~/lib/locale";
import { currentUser } from "~/lib/session";
import { storedTracking } from "~/lib/tracking";
import { describePaypal, linkPaypal } from "../api";
import type { ApprovalPorts } from "./approval";
import { forgetApproval } from "./persisted-approval";

export const approvalPorts: ApprovalPorts = {
  link: async (approval) =>
    linkPaypal({
      approval,
      userId: currentUser()?.user_id ?? "",
      country: await visitorCountry(),
      language: offerLanguage(localeOf(window.location.pathname)),
      tracking: storedTracking(),
    }),
  describe: (subscriptionId) => describePaypal(subscriptionId, storedTracking()),
  forget: forgetApproval,
};
