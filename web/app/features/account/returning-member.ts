import { useEffect, useState } from "react";
import { fetchSession, isLateResponse, type User, useSession } from "~/lib/session/session";

/**
 * The member who was signed in on arrival, even if the response comes late. A sign-in on this page does not count: its
 * form stays until the next page.
 */
export function useReturningMember(): User | null {
  const session = useSession();
  const [first, setFirst] = useState(session.state);
  const isDecided = first !== "unknown" && !isLateResponse(session);
  if (!isDecided && first !== session.state) setFirst(session.state);

  useEffect(() => {
    void fetchSession();
  }, []);

  return first === "member" && session.state === "member" ? session.user : null;
}
