// The words in the window of a page: where each line of text is, and whether its letters are large. Numbers in pictures are
// measured with other marks; a lesson darkens what it does not speak of.
() => {
  const found = [];
  const inWindow = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const uncovered = (node, { left, top, width, height }) => {
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (hit === node || node.contains(hit) || hit.contains(node));
  };
  const cut = (node, { left, top, width, height }) => {
    for (let at = node.parentElement; at !== null; at = at.parentElement) {
      const { left: x, top: y, right, bottom } = at.getBoundingClientRect();
      const inside = left + width / 2 >= x && left + width / 2 <= right && top + height / 2 >= y && top + height / 2 <= bottom;
      if (!inside && getComputedStyle(at).overflow !== "visible") return true;
    }
    return false;
  };
  const add = (node, text, box) => {
    const { fontSize, fontWeight } = getComputedStyle(node);
    const scale = node instanceof SVGElement ? (node.getScreenCTM()?.a ?? 1) : 1;
    const size = parseFloat(fontSize) * scale;
    const large = node.closest("svg .slot, svg .key") !== null || size >= 24 || (size >= 18.6 && Number(fontWeight) >= 700);
    found.push({ text: text.trim().slice(0, 60), x: box.left, y: box.top, width: box.width, height: box.height, large });
  };
  const open = document.querySelector(":popover-open"); // what it darkens is not to be read now
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const node = text.parentElement;
    if (!text.data.trim() || node.closest("script, style, template, option, :disabled, .hidden-title, [aria-disabled=true], .lesson-table, [lang|=zh]:not(:root)")) continue;
    if (open && !open.contains(node)) continue;
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      if (box.width > 5 && box.height > 7 && inWindow(box) && uncovered(node, box) && !cut(text, box)) add(node, text.data, box);
    }
  }
  for (const field of document.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox], [type=range], [type=file]), select, textarea")) {
    const { left, top, right, bottom, height } = field.getBoundingClientRect();
    const box = { left, top, right, bottom, height, width: Math.min(right - left, 4 * height) }; // its words are there
    const shows = field.matches("select") || field.value || field.placeholder;
    if (shows && field.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && inWindow(box) && uncovered(field, box)) add(field, field.value || field.placeholder || "", box);
  }
  return found;
}
