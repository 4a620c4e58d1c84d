/** The same form as the one-time form; the presenter sets its terms. */
export { default } from "../one-time-payment-form/one-time-payment-form";
