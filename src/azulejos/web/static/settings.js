// @ts-check
// Preferences take effect at once. The texts of another language come from the server, so it reloads the page.
const form = /** @type {HTMLFormElement} */ (document.querySelector("#settings form"));

form.addEventListener("change", async ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
  if (name === "language") {
    form.submit();
    return;
  }
  document.documentElement.dataset[name] = value;
  const entries = /** @type {[string, string][]} */ ([...new FormData(form)]);
  await fetch(form.action, { method: "POST", body: new URLSearchParams(entries), redirect: "manual" });
});
/** @type {HTMLElement} */ (form.querySelector("button")).hidden = true;

document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".copy")) : null;
  const field = button?.parentElement?.querySelector("input");
  if (!button || !field) return;
  field.select();
  await navigator.clipboard?.writeText(field.value).then(() => said(button), () => {});
});

/** The button shows for a moment that it has worked; its width does not change. @param {HTMLElement} button */
function said(button) {
  const { textContent } = button;
  if (textContent === button.dataset.done) return;
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = button.dataset.done ?? "";
  setTimeout(() => { button.textContent = textContent; }, 2000);
}
