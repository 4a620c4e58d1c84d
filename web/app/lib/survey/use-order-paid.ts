import { useEffect } from "react";
import { askSession } from "../session/session";
import { type OrderCustomer, settleSurveyOrder } from "./survey-order";

/** A page that comes after a payment tells of the order once; null: not this one, or not now. */
export function useOrderPaid(customer: OrderCustomer | null): void {
  useEffect(() => {
    if (!customer) return;
    void askSession().then((session) => settleSurveyOrder(customer, session.state === "member" ? session.user : null));
  }, [customer]);
}
