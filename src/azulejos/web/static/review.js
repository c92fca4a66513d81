// @ts-check
// The page of a review: asks for what is known so far, walks through lines, hides answers until asked for.
import { $ } from "./dom.js";
import { nodes } from "./markup.js";

const PAUSE = 1500; // milliseconds between two questions while the judge works
const WAITS = ["waiting", "running"];
const page = $("review");
const body = $("review-body");
const dark = () => getComputedStyle(document.documentElement).colorScheme === "dark"
  || (document.documentElement.dataset.scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

/** Show the table after some steps of a line. @param {HTMLElement} walk @param {string} line @param {number} step */
function show(walk, line, step) {
  const picture = /** @type {HTMLImageElement} */ (walk.querySelector(".table-picture"));
  picture.src = `${walk.dataset.walk}/${line}/${step}.svg${dark() ? "?dark" : ""}`;
  for (const button of walk.querySelectorAll("[data-step]"))
    button.toggleAttribute("aria-current", button.closest("ol")?.dataset.line === line && Number(/** @type {HTMLElement} */ (button).dataset.step) === step);
}

/** Show the better turn: in words, and as a second arrow in the picture. @param {HTMLElement} walk */
function reveal(walk) {
  for (const each of walk.querySelectorAll(".answer")) each.removeAttribute("hidden");
  for (const each of walk.querySelectorAll(".covered, .try, [data-show]")) each.setAttribute("hidden", "");
  walk.querySelector(".turn-acts a.primary")?.classList.remove("primary");
  walk.querySelector("source")?.remove();
  const picture = /** @type {HTMLImageElement} */ (walk.querySelector(".turn-picture"));
  picture.src = `${walk.dataset.walk}/turn.svg?better${dark() ? "&dark" : ""}`;
}

/** @param {HTMLElement} walk @param {HTMLElement} choice */
function tried(walk, choice) {
  const said = /** @type {HTMLElement} */ (walk.querySelector(".tried"));
  const kind = /** @type {string} */ (choice.dataset.try);
  said.textContent = said.dataset[kind] ?? "";
  choice.setAttribute("aria-pressed", "true");
  if (kind === "better") reveal(walk);
}

body.addEventListener("click", (/** @type {MouseEvent} */ { target }) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("button"));
  const walk = /** @type {HTMLElement | null} */ (button?.closest(".walk"));
  if (!button || !walk) return;
  if (button.dataset.step) show(walk, /** @type {HTMLElement} */ (button.closest("ol")).dataset.line ?? "", Number(button.dataset.step));
  else if (button.dataset.try) tried(walk, button);
  else if ("show" in button.dataset) reveal(walk);
});

body.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const walk = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".player"));
  if (!by || !walk) return;
  const now = walk.querySelector("[aria-current]") ?? walk.querySelector("[data-step]");
  const steps = [...(now?.closest("ol")?.querySelectorAll("[data-step]") ?? [])];
  const next = /** @type {HTMLElement | undefined} */ (steps[steps.indexOf(/** @type {Element} */ (now)) + by]);
  if (next) { event.preventDefault(); next.click(); }
});

const state = () => /** @type {HTMLElement | null} */ (body.querySelector(".state"))?.dataset.state ?? "";
const touched = () => body.contains(document.activeElement) || body.querySelector("[aria-pressed], [aria-current='']") !== null;

/** Ask for what is known, until the review is finished. What somebody is reading stays until then. */
async function follow() {
  while (WAITS.includes(state())) {
    await new Promise((done) => { setTimeout(done, PAUSE); });
    const answer = await fetch(page.dataset.part + location.search).catch(() => null);
    if (answer?.ok && !touched()) renew(await answer.text());
  }
}

/** @param {string} text */
function renew(text) {
  const open = new Set([...body.querySelectorAll("details[open]")].map(({ id }) => id));
  const closed = new Set([...body.querySelectorAll("details[id]:not([open])")].map(({ id }) => id));
  body.replaceChildren(...nodes(text));
  for (const each of body.querySelectorAll("details[id]")) if (open.has(each.id)) each.setAttribute("open", ""); else if (closed.has(each.id)) each.removeAttribute("open");
}

/** Whoever opens the page wants the review. Without scripts there is a button. */
async function begin() {
  const form = /** @type {HTMLFormElement | null} */ (body.querySelector("form:has(#start-review)"));
  if (!form || state() !== "none") return;
  const answer = await fetch(form.action, { method: "POST" }).catch(() => null);
  const part = answer?.ok ? await fetch(page.dataset.part + location.search).catch(() => null) : null;
  if (part?.ok) renew(await part.text());
}

begin().then(follow);
