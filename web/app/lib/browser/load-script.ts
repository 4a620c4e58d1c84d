const TIMEOUT_MS = 10_000;

const MAX_POLLS = 100;
const POLL_INTERVAL_MS = 100;

const loading = new Map<string, Promise<void>>();

/** Loads a third-party script once per page. A failure is not cached, so that a retry loads it again. */
export function loadScript(src: string): Promise<void> {
  const known = loading.get(src);
  if (known) return known;
  const loaded = append(src).catch((fault: unknown) => {
    loading.delete(src);
    throw fault;
  });
  loading.set(src, loaded);
  return loaded;
}

/**
 * Loads a script and polls for its global: some scripts define it after their load event. Gives up after a hundred
 * polls.
 */
export async function loadGlobal<T>(src: string, read: () => T | undefined): Promise<T> {
  await loadScript(src);
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const found = read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`${src} defines nothing`);
}

function append(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const fail = () => {
      script.remove();
      reject(new Error(`${src} did not load`));
    };
    const timer = setTimeout(fail, TIMEOUT_MS);
    script.src = src;
    script.async = true;
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    script.onerror = () => {
      clearTimeout(timer);
      fail();
    };
    document.head.append(script);
  });
}
