import { useEffect, useState } from "react";
import { fetchSession, type User, useSession } from "~/lib/session/session";

/** Who was signed in when they came. Who signs in here is on their way already: their form stays until the next page is there. */
export function useReturningMember(): User | null {
  const session = useSession();
  const [first, setFirst] = useState(session.state);
  if (first === "unknown" && session.state !== "unknown") setFirst(session.state);

  useEffect(() => {
    void fetchSession();
  }, []);

  return first === "member" && session.state === "member" ? session.user : null;
}
