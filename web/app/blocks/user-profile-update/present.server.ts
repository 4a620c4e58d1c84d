import type { Data, PageContext } from "../types";

/** On a success page the form is a step on the way: the success has the first heading, and the rest of the account stays out of it. */
export function presentUserProfileUpdate(block: Data<"UserProfileUpdate">, { template }: PageContext) {
  return { ...block, isAccount: template !== "SuccessPageTemplateWithUpdateProfile" };
}
