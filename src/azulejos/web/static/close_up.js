// @ts-check
// What is left on offer, as large as its room allows: near the end of a round most plates are empty.
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */

const MOST = 1.8; // times as large as usual: more would be larger than the boards
const MARGIN = 24;

/** Leave out the empty plates of the offer and show the rest larger; not where a disc beside a plate says what may come to it. @param {Renderer} renderer @param {Places} places */
export function closeUp(renderer, places) {
  const slots = places.planned.flatMap((slot, number) => (slot.panel === 0 ? [{ ...slot, number }] : []));
  const plates = slots.filter(({ shape }) => shape === "plate");
  if (!plates.length || slots.some(({ shape, number }) => shape === "badge" && renderer.nodes[number])) return;
  const within = (/** @type {string} */ id) => slots.filter((slot) => slot.id === id || slot.id.startsWith(`${id}.`));
  const unused = new Set(plates.filter(({ id }) => !within(id).some(({ number }) => renderer.lies.get(number)?.length)).flatMap(({ id }) => within(id)));
  for (const slot of slots) renderer.nodes[slot.number]?.classList.toggle("unused", unused.has(slot));
  const boxes = slots.filter((slot) => !unused.has(slot)).flatMap(({ number, x, y }) => {
    const box = renderer.nodes[number]?.getBBox();
    return box?.width ? [{ left: x + box.x, top: y + box.y, right: x + box.x + box.width, bottom: y + box.y + box.height }] : [];
  });
  if (!boxes.length) return;
  const { width, height } = places.plan.panels[0];
  const across = (/** @type {number[]} */ from, /** @type {number[]} */ to, /** @type {number} */ whole) => {
    const [first, last] = [Math.min(...from) - MARGIN, Math.max(...to) + MARGIN];
    const size = Math.min(whole, Math.max(last - first, whole / MOST));
    return [Math.min(Math.max(0, (first + last - size) / 2), whole - size), size];
  };
  const [left, wide] = across(boxes.map((box) => box.left), boxes.map((box) => box.right), width);
  const [top, high] = across(boxes.map((box) => box.top), boxes.map((box) => box.bottom), height);
  renderer.panels[0].picture.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
}
