const TIMEOUT_MS = 10_000;

const loading = new Map<string, Promise<void>>();

/** Runs somebody else's script, once per page life. A failure is forgotten, so that a retry is one. */
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
