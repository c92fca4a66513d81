// @ts-check
// The list of lessons: which of them are finished, and where one was left, as this browser remembers.
import { $, fill } from "./dom.js";

for (const entry of /** @type {NodeListOf<HTMLElement>} */ ($("lessons").querySelectorAll("[data-lesson]"))) {
  const { lesson = "", steps = "0" } = entry.dataset;
  const mark = /** @type {HTMLElement} */ (entry.querySelector(".done-mark"));
  const at = Number(localStorage.getItem(`azulejos.lesson.${lesson}`) ?? 0);
  mark.hidden = localStorage.getItem(`azulejos.learned.${lesson}`) === null;
  if (at > 0) /** @type {HTMLElement} */ (entry.querySelector(".promise")).textContent = fill($("lessons").dataset.going, { n: at + 1, all: steps });
}
