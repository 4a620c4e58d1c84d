// Listeners by event name; one that throws does not keep the others from hearing.

class Emitter {
  #listeners = new Map();

  on(event, listener) {
    if (typeof listener !== "function") throw new IntegrationError(`The listener for ${event} must be a function.`);
    const known = this.#listeners.get(event) ?? [];
    this.#listeners.set(event, [...known, listener]);
    return this;
  }

  addListener(event, listener) {
    return this.on(event, listener);
  }

  once(event, listener) {
    const once = (payload) => {
      this.off(event, once);
      listener(payload);
    };
    return this.on(event, once);
  }

  off(event, listener) {
    const known = this.#listeners.get(event) ?? [];
    this.#listeners.set(event, listener ? known.filter((other) => other !== listener) : []);
    return this;
  }

  removeListener(event, listener) {
    return this.off(event, listener);
  }

  removeAllListeners() {
    this.#listeners.clear();
    return this;
  }

  emit(event, payload) {
    for (const listener of this.#listeners.get(event) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        reportError(error);
      }
    }
  }
}

