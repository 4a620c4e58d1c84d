// The words of the fields. Languages without their own show English, as the shop's page may.

const en = {
  cardNumber: "Card number",
  cardExpiry: "Expiration date",
  cardCvc: "CVC",
  incomplete_number: "Your card number is incomplete.",
  invalid_number: "Your card number is invalid.",
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  incomplete_cvc: "Your card's security code is incomplete.",
};

const tr = {
  cardNumber: "Kart numarası",
  cardExpiry: "Son kullanma tarihi",
  cardCvc: "CVC",
  incomplete_number: "Kart numaranız eksik.",
  invalid_number: "Kart numaranız geçersiz.",
  incomplete_expiry: "Kartınızın son kullanma tarihi eksik.",
  invalid_expiry_month: "Kartınızın son kullanma tarihi geçersiz.",
  invalid_expiry_month_past: "Kartınızın son kullanma tarihi geçmiş.",
  invalid_expiry_year_past: "Kartınızın son kullanma yılı geçmiş.",
  invalid_expiry_year: "Kartınızın son kullanma yılı geçersiz.",
  incomplete_cvc: "Kartınızın güvenlik kodu eksik.",
};

const ar = {
  cardNumber: "رقم البطاقة",
  cardExpiry: "تاريخ انتهاء الصلاحية",
  cardCvc: "رمز CVC",
  incomplete_number: "رقم بطاقتك غير مكتمل.",
  invalid_number: "رقم بطاقتك غير صالح.",
  incomplete_expiry: "تاريخ انتهاء صلاحية بطاقتك غير مكتمل.",
  invalid_expiry_month: "تاريخ انتهاء صلاحية بطاقتك غير صالح.",
  invalid_expiry_month_past: "انتهت صلاحية بطاقتك.",
  invalid_expiry_year_past: "سنة انتهاء صلاحية بطاقتك في الماضي.",
  invalid_expiry_year: "سنة انتهاء صلاحية بطاقتك غير صالحة.",
  incomplete_cvc: "رمز أمان بطاقتك غير مكتمل.",
};

const WORDS = { en, tr, ar };
const RIGHT_TO_LEFT = ["ar", "he", "fa", "ur"];

export function languageOf(locale) {
  const wanted = !locale || locale === "auto" ? navigator.language : locale;
  return wanted.split("-")[0].toLowerCase();
}

export const wordsFor = (language) => WORDS[language] ?? en;
export const directionOf = (language) => (RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr");
