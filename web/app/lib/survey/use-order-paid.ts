import { useEffect } from "react";
import { fetchAnsweredSession } from "../session/session";
import { type OrderCustomer, reportOrderPaid } from "./survey-order";

/** Reports the order on success pages; null: not on this page, or not now. */
export function useReportOrderPaid(customer: OrderCustomer | null): void {
  useEffect(() => {
    if (!customer) return;
    void fetchAnsweredSession().then((session) =>
      reportOrderPaid(customer, session.state === "member" ? session.user : null),
    );
  }, [customer]);
}
