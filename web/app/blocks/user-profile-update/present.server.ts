import type { Data, PageContext } from "../types";

/** On a success page the form is one step: the page has its own heading, and no account sections. */
export function presentUserProfileUpdate(block: Data<"UserProfileUpdate">, { template }: PageContext) {
  return { ...block, isAccount: template !== "SuccessPageTemplateWithUpdateProfile" };
}
