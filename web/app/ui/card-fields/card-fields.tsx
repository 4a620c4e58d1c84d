import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements } from "@stripe/react-stripe-js";
import type { StripeElementChangeEvent, StripeElementStyle } from "@stripe/stripe-js";
import { type ReactNode, useEffect, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { FieldError } from "../field/field";
import { CARD_NETWORKS, preferredNetwork } from "./networks";

type CardField = "number" | "expiry" | "cvc";

export interface CardFieldsState {
  /** The provider's message per field. */
  errors: Partial<Record<CardField, string>>;
  network: string;
}

export const EMPTY_CARD: CardFieldsState = { errors: {}, network: "" };

interface CardFieldsProps {
  value: CardFieldsState;
  /** An updater: several card events may come before the next render. */
  onChange: (change: (before: CardFieldsState) => CardFieldsState) => void;
  /** The fields were just requested: the first takes the focus when it is ready. */
  takesFocus?: boolean;
}

/** Three fields inside Stripe's frames: card data never reaches this page. */
export function CardFields({ value, onChange, takesFocus }: CardFieldsProps) {
  const t = useTexts();
  const style = useElementStyle();
  const frames = useStaggeredMount(FIELDS, useElements() !== null);
  const changed = (field: CardField) => (event: StripeElementChangeEvent) =>
    onChange((before) => ({ ...before, errors: { ...before.errors, [field]: event.error?.message } }));
  const options = { style, classes: { focus: "card-field-focus", invalid: "card-field-invalid" } };
  const { errors } = value;
  return (
    <div className="space-y-5">
      <Labelled id="card-number" label={t("checkout.cardNumber")} error={errors.number} isThere={frames > 0}>
        <CardNumberElement
          id="card-number"
          className="card-field"
          options={{ ...options, showIcon: true, placeholder: "1234 1234 1234 1234" }}
          onReady={(element) => takesFocus && element.focus()}
          onChange={changed("number")}
          onNetworksChange={(event) => onChange((before) => ({ ...before, network: preferredNetwork(event) }))}
        />
      </Labelled>
      <div className="grid grid-cols-2 gap-4">
        <Labelled id="card-expiry" label={t("checkout.expiry")} error={errors.expiry} isThere={frames > 1}>
          <CardExpiryElement id="card-expiry" className="card-field" options={options} onChange={changed("expiry")} />
        </Labelled>
        <Labelled id="card-cvc" label={t("checkout.cvc")} error={errors.cvc} isThere={frames > 2}>
          <CardCvcElement id="card-cvc" className="card-field" options={options} onChange={changed("cvc")} />
        </Labelled>
      </div>
      <select
        hidden
        name="cardNetwork"
        value={value.network}
        onChange={() => undefined}
        aria-hidden="true"
        tabIndex={-1}
      >
        <option value="" />
        {CARD_NETWORKS.map((network) => (
          <option key={network} value={network}>
            {network}
          </option>
        ))}
      </select>
    </div>
  );
}

interface LabelledProps {
  id: string;
  label: string;
  error: string | undefined;
  /** Whether its frame may be mounted; until then its space is reserved. */
  isThere: boolean;
  children: ReactNode;
}

function Labelled({ id, label, error, isThere, children }: LabelledProps) {
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      {/* Card numbers run left to right in every language. */}
      <div dir="ltr">{isThere ? children : <div id={id} className="card-field" />}</div>
      <div aria-live="polite">
        <FieldError id={`${id}-error`} message={error} />
      </div>
    </div>
  );
}

const FIELDS = 3;

/** The browser creates each frame synchronously: all at once would block a phone for a fifth of a second. */
function useStaggeredMount(all: number, isReady: boolean): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isReady || count >= all) return;
    const next = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(next);
  }, [count, all, isReady]);
  return count;
}

/** The frames cannot use our style sheet: token values are passed to them, again when the scheme changes. */
function useElementStyle(): StripeElementStyle {
  const [style, setStyle] = useState<StripeElementStyle>({});
  useEffect(() => {
    const read = () => setStyle(currentStyle());
    read();
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", read);
    return () => scheme.removeEventListener("change", read);
  }, []);
  return style;
}

function currentStyle(): StripeElementStyle {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return {
    base: {
      color: token("--color-ink"),
      iconColor: token("--color-muted"),
      fontFamily: "system-ui, sans-serif",
      fontSize: "16px",
      lineHeight: "24px",
      "::placeholder": { color: token("--color-placeholder") },
    },
    invalid: { color: token("--color-danger"), iconColor: token("--color-danger") },
  };
}
