// Pages work without this file. It saves waiting and typing: forms show what they mean
// while somebody types, lists follow their filters, and progress moves by itself.

// Everything that becomes markup is a page of this service, which escapes what it shows.
const pages = "trustedTypes" in window ? trustedTypes.createPolicy("pages", { createHTML: (page) => page }) : { createHTML: (page) => page };

/** Replaces the parts of this page that a newer rendering of it has. */
function show(page) {
  const next = new DOMParser().parseFromString(pages.createHTML(page), "text/html");
  for (const part of document.querySelectorAll("[data-part]")) {
    const other = next.getElementById(part.id);
    if (!other || part.isEqualNode(other)) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const [id, start, end] = focused ? [focused.id, focused.selectionStart, focused.selectionEnd] : [];
    const open = new Set([...part.querySelectorAll("details[open]")].map((d) => d.querySelector("summary")?.textContent));
    part.replaceWith(document.adoptNode(other));
    for (const d of other.querySelectorAll("details")) if (open.has(d.querySelector("summary")?.textContent)) d.open = true;
    if (id) {
      const again = document.getElementById(id);
      again?.focus();
      if (start !== null && start !== undefined) again?.setSelectionRange?.(start, end);
    }
    watch(other);
  }
  const refusal = document.querySelector("main > .refusal");
  const told = next.querySelector("main > .refusal");
  refusal?.remove();
  if (told) document.querySelector("main > h1").after(document.adoptNode(told));
  document.dispatchEvent(new Event("shown"));
}

/** Sends a form a moment after the last change, and shows the parts of the answer. One
 * request follows the other, so that what is saved is never overtaken by what was typed
 * before it. */
function live(form) {
  // A control may be called action or method, which then hides the form's own.
  const get = form.getAttribute("method") === "get";
  let timer, busy = false, again = false, leaving = false;
  const send = async () => {
    if (busy) return void (again = true);
    busy = true;
    again = false;
    const values = new URLSearchParams(new FormData(form));
    const address = new URL(form.getAttribute("action"), location);
    if (get) address.search = new URLSearchParams([...values].filter(([, value]) => value !== "")).toString();
    try {
      const signal = AbortSignal.timeout(15000);
      const response = await fetch(address, get ? { signal } : { method: "POST", body: values, signal });
      if (leaving) return;
      if (response.redirected) return location.assign(response.url);
      if (response.status === 429 || response.status >= 500) throw new Error(response.statusText);
      if (get) history.replaceState(null, "", address);
      show(await response.text());
    } catch {
      if (!leaving) timer = setTimeout(send, 2000);
    } finally {
      busy = false;
      if (again && !leaving) send();
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(send, Number(form.dataset.live) || 120);
  };
  form.addEventListener("input", soon);
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    if (get) {
      event.preventDefault();
      send();
    } else if (busy) { // what is being saved decides the version that the form must name
      event.preventDefault();
      again = false;
      const wait = () => (busy ? setTimeout(wait, 20) : form.requestSubmit(event.submitter));
      wait();
    } else leaving = true;
  });
}

/** Follows the progress of the work that a part shows. The browser opens the stream again
 * by itself when it ends, also after a restart of the service. */
function watch(root) {
  const part = root.matches("[data-watch]") ? root : root.querySelector("[data-watch]");
  if (!part || watch.source) return;
  const source = (watch.source = new EventSource(part.dataset.watch));
  const read = async () => {
    const response = await fetch(location);
    if (response.redirected) location.assign(response.url);
    else show(await response.text());
  };
  source.addEventListener("progress", read);
  source.addEventListener("done", () => {
    source.close();
    watch.source = null;
    read();
  });
}

for (const form of document.querySelectorAll("form[data-live]")) live(form);
watch(document.documentElement);
