import { useTexts } from "~/lib/i18n";
import type { CardHolder } from "~/lib/payment/card";
import "~/lib/i18n/journeys";
import { Field } from "~/ui/field/field";
import type { BuyerFaults } from "./buyer";

interface BuyerFieldsProps {
  value: CardHolder;
  onChange: (buyer: CardHolder) => void;
  faults: BuyerFaults;
  disabled: boolean;
}

export const BUYER_FIELD_IDS = { email: "buyer-email", name: "buyer-name" } as const;

/** Name and address of a guest; the receipt goes to the address. */
export function BuyerFields({ value, onChange, faults, disabled }: BuyerFieldsProps) {
  const t = useTexts();
  const faultText = (fault: BuyerFaults["name"]) => fault && t(`oneTime.${fault}`);
  return (
    <div className="mb-6 space-y-5">
      <Field
        id={BUYER_FIELD_IDS.email}
        name="email"
        label={t("oneTime.email")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        required
        readOnly={disabled}
        value={value.email}
        error={faultText(faults.email) ?? null}
        onChange={(event) => onChange({ ...value, email: event.target.value })}
      />
      <Field
        id={BUYER_FIELD_IDS.name}
        name="name"
        label={t("oneTime.name")}
        autoComplete="name"
        dir="auto"
        required
        readOnly={disabled}
        value={value.name}
        error={faultText(faults.name) ?? null}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
    </div>
  );
}
