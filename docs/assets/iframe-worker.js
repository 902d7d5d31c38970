// Lets the search of the site run when its pages are opened from disk, where browsers allow no workers:
// the worker's script runs in a hidden frame instead. Material for MkDocs knows such a frame by the name IFrameWorker.
(() => {
  if (location.protocol !== "file:") return;

  class IFrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
      const script = document.createElement("script");
      script.src = new URL(url, location.href).href;
      // in the frame, `postMessage` speaks to the page, and `importScripts` promises to be there
      const before = `
        window.postMessage = (data) => window.frameElement.dispatchEvent(new MessageEvent("answer", { data }));
        window.importScripts = (...urls) => urls.reduce((done, url) => done.then(() => new Promise((resolve) => {
          const script = document.createElement("script");
          script.src = url;
          script.onload = script.onerror = resolve;
          document.head.appendChild(script);
        })), Promise.resolve());`;
      this.frame.srcdoc = `<script>${before}</` + `script>${script.outerHTML}`;
      this.frame.addEventListener("answer", ({ data }) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      });
      (document.body || document.documentElement).appendChild(this.frame);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  }

  window.IFrameWorker = window.Worker = IFrameWorker;
})();
