import { presentPaymentForm } from "./payment-form/present.server";
import { presentPlanList } from "./plan-list/present.server";
import { presentSuccessPage } from "./success-page/present.server";
import type { Data, Kind, PageContext, Section, SectionView } from "./types";

/** Blocks whose data is turned into text or pictures on the server: prices, dates, codes. */
export const presenters = {
  PaymentForm: presentPaymentForm,
  PlanList: presentPlanList,
  SuccessPage: presentSuccessPage,
} satisfies { [K in Kind]?: (block: Data<K>, context: PageContext) => unknown };

export function present(section: Section, context: PageContext): SectionView {
  switch (section.__typename) {
    case "PaymentForm":
      return presentPaymentForm(section, context);
    case "PlanList":
      return presentPlanList(section, context);
    case "SuccessPage":
      return presentSuccessPage(section);
    default:
      return section;
  }
}
