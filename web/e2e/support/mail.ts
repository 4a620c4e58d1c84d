/** The sandbox's inbox. */
import type { APIRequestContext } from "@playwright/test";
import { expect } from "./stillpoint.ts";

const sandboxUrl = process.env.SANDBOX_URL ?? "http://localhost:8090";
const ARRIVAL_MS = 30_000;

interface Mail {
  links: string[];
}

interface Wanted {
  email: string;
  /** A part of the link's address. */
  part: string;
  /** The mails that have arrived earlier. */
  before?: number;
}

/** The path and query of the link in the latest mail to an address. */
export async function mailedLink(request: APIRequestContext, { email, part, before = 0 }: Wanted): Promise<string> {
  const mails = async () => {
    const response = await request.get(`${sandboxUrl}/sandbox/mails?to=${encodeURIComponent(email)}`);
    return ((await response.json()) as { mails: Mail[] }).mails;
  };
  // Other mails may arrive first, such as the one about a new sign-in.
  const findLink = async () => {
    const arrived = await mails();
    const links = arrived.length > before ? arrived.flatMap((mail) => mail.links) : [];
    return links.find((found) => found.includes(part)) ?? null;
  };
  await expect.poll(findLink, { timeout: ARRIVAL_MS }).not.toBeNull();
  const link = await findLink();
  if (!link) throw new Error(`no mail to ${email} has a link with ${part}`);
  // The mail names the site as it is published; here it may stand behind another address.
  const { pathname, search } = new URL(link);
  return pathname + search;
}
