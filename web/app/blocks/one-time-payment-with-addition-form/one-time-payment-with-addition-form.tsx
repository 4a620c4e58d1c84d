/** Who may buy, and where it leads, its presenter has said: the form is the same. */
export { default } from "../one-time-payment-form/one-time-payment-form";
