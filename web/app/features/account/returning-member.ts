import { useEffect, useState } from "react";
import { fetchSession, type User, useSession } from "~/lib/session/session";

/**
 * The member who was signed in on arrival. A sign-in on this page does not count: its form stays until the next page.
 */
export function useReturningMember(): User | null {
  const session = useSession();
  const [first, setFirst] = useState(session.state);
  if (first === "unknown" && session.state !== "unknown") setFirst(session.state);

  useEffect(() => {
    void fetchSession();
  }, []);

  return first === "member" && session.state === "member" ? session.user : null;
}
