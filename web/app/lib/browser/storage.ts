/** Browser storage that may be forbidden: then nothing is remembered and nothing breaks. */

function guarded(open: () => Storage) {
  return {
    get(key: string): string | null {
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    set(key: string, value: string): void {
      try {
        open().setItem(key, value);
      } catch {
        // Remembering is a comfort, not a need.
      }
    },
    remove(key: string): void {
      try {
        open().removeItem(key);
      } catch {
        // The same.
      }
    },
  };
}

export const local = guarded(() => localStorage);
export const perTab = guarded(() => sessionStorage);
