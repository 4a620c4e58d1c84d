// What this browser has that others have not. Chosen on the sandbox's page, read by the wallet's window.

const KEY = "sandbox.wallet";

export function walletOfThisBrowser() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export function giveThisBrowser(wallet) {
  localStorage.setItem(KEY, wallet);
}
