// What a player needs for the next step must be inside the window, uncovered, and large enough for a finger.
(touch) => {
  const FINGER = 43.5;
  const found = { outside: [], covered: [], small: [] };
  const inWindow = ({ left, top, right, bottom }) => left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (node) => node.dataset.slot || node.id || node.dataset.opens || node.dataset.view || node.className;
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const hit = (node, box) => {
    const [x, y] = middle(box);
    const top = document.elementFromPoint(x, y);
    return top !== null && (node.contains(top) || (node.dataset.slot !== undefined && (top.closest("[data-slot]")?.dataset.slot ?? "").startsWith(node.dataset.slot)));
  };

  for (const node of document.querySelectorAll(".bar button, .bar a, .rail button, .views button, .status strong")) {
    if (!shown(node)) continue;
    const box = node.getBoundingClientRect();
    if (!inWindow(box)) found.outside.push(name(node));
    else if (!node.disabled && ![...node.getClientRects()].every((line) => hit(node, line))) found.covered.push(name(node));
    if (touch && node.matches("button") && Math.min(box.width, box.height) < FINGER) found.small.push(name(node));
  }

  const aside = (node) => node.closest('.tall[data-view="shared"] .own') !== null && getComputedStyle(document.querySelector(".views") ?? node).display === "flex";
  for (const node of document.querySelectorAll(".mat .slot.can")) {
    if (!shown(node) || aside(node)) continue;
    const parts = [...node.querySelectorAll(".hit, .well, .plate, .card, .badge, use")].map((part) => part.getBoundingClientRect()).filter((box) => box.width > 1);
    const area = node.getBoundingClientRect();
    const pieces = [...document.querySelectorAll(`.mat .piece[data-slot="${CSS.escape(node.dataset.slot)}"]`)].map((piece) => piece.getBoundingClientRect());
    if (!inWindow(area.width ? area : pieces[0])) found.outside.push(name(node));
    else if (![...parts, ...pieces].some((box) => hit(node, box))) found.covered.push(name(node));
    const size = Math.max(0, ...parts.map((box) => Math.min(box.width, box.height)));
    if (touch && size < FINGER) found.small.push(`${name(node)} ${Math.round(size)}`);
  }
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.outside.push(`the page is ${page.scrollWidth} wide`);
  if (page.scrollHeight > innerHeight) found.outside.push(`the page is ${page.scrollHeight} high`);
  return found;
}
