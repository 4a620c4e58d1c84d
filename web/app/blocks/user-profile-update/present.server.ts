import { withContact } from "../contact.server";
import type { Data, PageContext } from "../types";

/** On a success page the success has the first heading. */
export function presentUserProfileUpdate(block: Data<"UserProfileUpdate">, { template }: PageContext) {
  const headingTag = template === "SuccessPageTemplateWithUpdateProfile" ? ("h2" as const) : ("h1" as const);
  return { ...withContact(block), headingTag };
}
