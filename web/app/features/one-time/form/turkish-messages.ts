import { type Fault, isOwnCode, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Locale } from "~/lib/locale";

/** In Turkish the common refusals have our own messages; other languages show the provider's. */

const NUMBER = "Kart numarası hatalı görünüyor. Lütfen numarayı kontrol edin.";
const CODE = "Güvenlik kodu hatalı. Kartın arkasındaki üç haneyi, American Express'te ön yüzdeki dört haneyi girin.";
const EXPIRY = "Son kullanma tarihi geçersiz. Kartın üzerindeki ayı ve yılı girin.";
const GENERIC = "Ödeme alınamadı. Lütfen kart bilgilerinizi kontrol edin ya da başka bir kart deneyin.";

const SENTENCES: Readonly<Record<string, string>> = {
  card_not_supported: "Bu kart bu tür ödemeleri desteklemiyor. Lütfen başka bir kart deneyin.",
  expired_card: "Kartınızın süresi dolmuş. Lütfen geçerli bir kart kullanın.",
  incorrect_number: NUMBER,
  invalid_number: NUMBER,
  incorrect_cvc: CODE,
  invalid_cvc: CODE,
  invalid_expiry_month: EXPIRY,
  invalid_expiry_year: EXPIRY,
  insufficient_funds: "Kartınızda yeterli bakiye yok. Lütfen başka bir kart deneyin.",
};

/** Our own codes have their texts in the catalogue. */
export function withTurkishMessage(locale: Locale, fault: Fault): Fault {
  if (locale !== "tr" || isOwnCode(fault.code) || fault.code === PAYMENT_ERROR.code) return fault;
  return { ...fault, message: SENTENCES[fault.code] ?? GENERIC };
}
