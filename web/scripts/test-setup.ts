/** Runs before each file of unit tests. */

// Tests of pure functions have no document, and need no library for it.
if ("document" in globalThis) {
  const { configure } = await import("@testing-library/react");
  // The default of a second is too short for a busy machine. Only a test that fails waits this long.
  configure({ asyncUtilTimeout: 20_000 });
}

export {};
