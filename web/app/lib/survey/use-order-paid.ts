import { useEffect } from "react";
import { fetchSession } from "../session/session";
import { type OrderCustomer, reportOrderPaid } from "./survey-order";

/** A page that comes after a payment tells of the order once; null: not this one, or not now. */
export function useReportOrderPaid(customer: OrderCustomer | null): void {
  useEffect(() => {
    if (!customer) return;
    void fetchSession().then((session) => reportOrderPaid(customer, session.state === "member" ? session.user : null));
  }, [customer]);
}
