// @ts-check
// A drill: the first tap answers, the second goes on. What was answered is kept like a puzzle that was tried.
import { $ } from "./dom.js";
import { keep, sync } from "./progress.js";
import { sound } from "./sound.js";

const { name = "", right = "0" } = $("drill").dataset;
const at = Date.now();
const options = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-option]")]);

for (const option of options) {
  option.onclick = () => {
    const found = option.dataset.option === right;
    for (const each of options) {
      each.disabled = true;
      each.classList.toggle("right", each.dataset.option === right);
      each.classList.toggle("wrong", each === option && !found);
    }
    const [told] = /** @type {HTMLCollectionOf<HTMLElement>} */ ($("drill-answer").children);
    told.textContent = (found ? told.dataset.right : told.dataset.wrong) ?? "";
    $("drill-answer").hidden = $("drill-next").hidden = false;
    $("drill-next").focus({ preventScroll: true });
    if (found) sound("place");
    keep({ attempts: [{ puzzle: name, at, first: found ? "right" : "wrong", tries: 1, solved: found }] });
  };
}
sync();
