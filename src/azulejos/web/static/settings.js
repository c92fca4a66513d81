// Wishes take effect at once; the language needs the server's words, so it loads the page again.
const form = document.querySelector("#settings form");

form.addEventListener("change", async ({ target }) => {
  if (target.name === "language") {
    form.submit();
    return;
  }
  document.documentElement.dataset[target.name] = target.value;
  await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
});
form.querySelector("button").hidden = true;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.(".copy");
  if (!button) return;
  const field = button.parentElement.querySelector("input");
  field.select();
  await navigator.clipboard?.writeText(field.value).then(() => said(button), () => {});
});

/** The button says for a moment that it has done its work; its width stays. */
function said(button) {
  const { textContent } = button;
  if (textContent === button.dataset.done) return;
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = textContent; }, 2000);
}
