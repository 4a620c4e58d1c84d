// What each field takes: how it is spaced, when it is complete, what is wrong with it. No DOM here.

const BRANDS = [
  ["amex", /^3[47]/, 15, 4, [4, 6, 5]],
  ["diners", /^3(?:0|6|8|9)/, 14, 3, [4, 6, 4]],
  ["jcb", /^35/, 16, 3],
  ["unionpay", /^62/, 16, 3],
  ["discover", /^6(?:011|4|5)/, 16, 3],
  ["mastercard", /^(?:5[1-5]|2[2-7])/, 16, 3],
  ["visa", /^4/, 16, 3],
];

export function brandOf(digits) {
  const known = BRANDS.find(([, pattern]) => pattern.test(digits));
  const [name, , length, cvcLength, groups] = known ?? ["unknown", null, 16, 3];
  return { name, length, cvcLength, groups: groups ?? [4, 4, 4, 4] };
}

// Cards of two networks, by how their numbers begin.
const CO_BRANDED = [
  [/^4000002500001/, ["cartes_bancaires", "visa"]],
  [/^5555552500001/, ["cartes_bancaires", "mastercard"]],
];

// The networks of a card, by its number.
export function networksOf(digits) {
  const known = CO_BRANDED.find(([pattern]) => pattern.test(digits));
  if (known) return known[1];
  const { name } = brandOf(digits);
  return name === "unknown" ? [] : [name];
}

const digitsOf = (text) => text.replace(/\D/g, "");

function passesLuhn(digits) {
  const sum = [...digits].reverse().reduce((total, character, place) => {
    const doubled = Number(character) * (place % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

const cardNumber = {
  name: "cardnumber",
  autocomplete: "cc-number",
  placeholder: "1234 1234 1234 1234",
  format(text) {
    const digits = digitsOf(text);
    const brand = brandOf(digits);
    const kept = digits.slice(0, brand.length);
    const groups = [];
    let from = 0;
    for (const size of brand.groups) {
      if (from < kept.length) groups.push(kept.slice(from, from + size));
      from += size;
    }
    return groups.join(" ");
  },
  check(text) {
    const digits = digitsOf(text);
    if (digits.length < brandOf(digits).length) return "incomplete_number";
    return passesLuhn(digits) ? null : "invalid_number";
  },
  values: (text) => ({ number: digitsOf(text) }),
};

const cardExpiry = {
  name: "exp-date",
  autocomplete: "cc-exp",
  placeholder: "MM / YY",
  format(text, erasing) {
    let digits = digitsOf(text);
    // A month cannot begin with 2 to 9, so the zero before it is meant.
    if (/^[2-9]/.test(digits)) digits = `0${digits}`;
    // Autofill writes the whole year.
    if (/^\d{2}20\d{2}/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
    digits = digits.slice(0, 4);
    if (digits.length < 2 || (digits.length === 2 && erasing)) return digits;
    return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
  },
  check(text) {
    const digits = digitsOf(text);
    if (digits.length < 4) return "incomplete_expiry";
    const month = Number(digits.slice(0, 2));
    const year = 2000 + Number(digits.slice(2));
    const now = new Date();
    if (month < 1 || month > 12) return "invalid_expiry_month";
    if (year < now.getFullYear()) return "invalid_expiry_year_past";
    if (year === now.getFullYear() && month <= now.getMonth()) return "invalid_expiry_month_past";
    return year > now.getFullYear() + 50 ? "invalid_expiry_year" : null;
  },
  values(text) {
    const digits = digitsOf(text);
    return { exp_month: digits.slice(0, 2), exp_year: digits.slice(2) };
  },
};

const cardCvc = {
  name: "cvc",
  autocomplete: "cc-csc",
  placeholder: "CVC",
  format: (text, _erasing, number) => digitsOf(text).slice(0, number ? brandOf(number).cvcLength : 4),
  check(text, number) {
    const length = number ? brandOf(number).cvcLength : 3;
    return text.length < length ? "incomplete_cvc" : null;
  },
  values: (text) => ({ cvc: text }),
};

export const FIELDS = { cardNumber, cardExpiry, cardCvc };
