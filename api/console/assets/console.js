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
}

/** Sends a form a moment after the last change, and shows the parts of the answer. */
function live(form) {
  let timer, request;
  // A control may be called action or method, which then hides the form's own.
  const get = form.getAttribute("method") === "get";
  const send = async () => {
    request?.abort();
    request = new AbortController();
    const values = new URLSearchParams(new FormData(form));
    const address = new URL(form.getAttribute("action"), location);
    if (get) {
      for (const [name, value] of [...values]) if (value === "") values.delete(name, value);
      address.search = values.toString();
    }
    try {
      const response = await fetch(address, get ? { signal: request.signal } : { method: "POST", body: values, signal: request.signal });
      if (response.redirected) return location.assign(response.url);
      if (response.status === 429) return void (timer = setTimeout(send, 2000));
      const page = await response.text();
      if (get) history.replaceState(null, "", address);
      show(page);
    } catch (error) {
      if (error.name !== "AbortError") timer = setTimeout(send, 2000);
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(send, 120);
  };
  form.addEventListener("input", soon);
  if (get) form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); send(); });
  else form.addEventListener("submit", () => { clearTimeout(timer); request?.abort(); });
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
    location.reload();
  });
}

for (const form of document.querySelectorAll("form[data-live]")) live(form);
watch(document.documentElement);
