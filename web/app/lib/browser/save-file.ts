/** Downloads a file that was made in the browser, under its name. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: url, download: file.name }).click();
  // After the download has started the browser has its own copy.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
