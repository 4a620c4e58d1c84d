// window.YooMoneyCheckoutWidget, as YooKassa's script defines it.
(() => {
  "use strict";

  const SANDBOX_ORIGIN = new URL(document.currentScript.src).origin;

  function frameFor(token) {
    const frame = document.createElement("iframe");
    const asked = new URLSearchParams({ token, origin: location.origin });
    frame.title = "YooKassa payment form";
    frame.src = `${SANDBOX_ORIGIN}/yookassa/checkout?${asked}`;
    Object.assign(frame.style, { display: "block", inlineSize: "100%", blockSize: "640px", border: "0" });
    return frame;
  }

  function dialogAround(frame, closed) {
    const dialog = document.createElement("dialog");
    const close = document.createElement("button");
    dialog.setAttribute("aria-label", "YooKassa");
    Object.assign(dialog.style, { inlineSize: "min(480px, 100vw)", padding: "8px", border: "0", borderRadius: "8px" });
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", closed);
    dialog.append(close, frame);
    return dialog;
  }

  class YooMoneyCheckoutWidget {
    #config;
    #handlers = {};
    #shown = null;
    #stop = new AbortController();

    constructor(config) {
      this.#config = config;
      if (!config.confirmation_token) this.#fail("token_required");
    }

    on(event, handler) {
      this.#handlers[event] = handler;
    }

    // Into the element of this id, or over the page where the customisation says so.
    async render(id) {
      const frame = frameFor(this.#config.confirmation_token ?? "");
      const isModal = this.#config.customization?.modal === true;
      const container = isModal ? document.body : document.getElementById(id);
      if (!container) throw new Error(`There is no element with the id ${id}`);
      this.#stop = new AbortController();
      addEventListener("message", (event) => this.#hear(event, frame), { signal: this.#stop.signal });
      this.#shown = isModal ? dialogAround(frame, () => this.#closed()) : frame;
      const ready = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      container.append(this.#shown);
      if (isModal) this.#shown.showModal();
      await ready;
    }

    destroy() {
      this.#stop.abort();
      this.#shown?.remove();
      this.#shown = null;
    }

    #hear(event, frame) {
      if (event.origin !== SANDBOX_ORIGIN || event.source !== frame.contentWindow) return;
      const { type, answer } = event.data ?? {};
      if (type === "error") this.#fail(answer);
      if (type === "success" || type === "fail") this.#finish(type);
    }

    // With an address to go to the widget goes there by itself.
    #finish(outcome) {
      if (this.#config.return_url) {
        location.assign(this.#config.return_url);
        return;
      }
      this.#handlers[outcome]?.();
      this.#handlers.complete?.({ status: outcome });
    }

    #closed() {
      if (!this.#shown) return;
      this.destroy();
      this.#handlers.modal_close?.();
    }

    #fail(error) {
      this.#config.error_callback?.({ error });
    }
  }

  window.YooMoneyCheckoutWidget = YooMoneyCheckoutWidget;
})();
