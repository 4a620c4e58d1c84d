/** Browser storage that never throws: where it is forbidden, nothing is stored. */

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
        // Storage is optional.
      }
    },
    remove(key: string): void {
      try {
        open().removeItem(key);
      } catch {
        // Storage is optional.
      }
    },
  };
}

export const local = guarded(() => localStorage);
export const perTab = guarded(() => sessionStorage);
