// Draws frames one after the other as the page does, and reads back what stands there after some of them.
async ({ plan, sprite, frames, compared }) => {
  const { Places } = await import("/static/plan.js");
  const { Renderer } = await import("/static/renderer.js");
  const { Pieces } = await import("/static/pieces.js");
  const page = document.createElement("div");
  const numbers = (text) => (text.match(/-?[\d.]+/g) ?? []).map((one) => Math.round(Number(one) * 100) / 100);
  for (const { id } of plan.panels) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.dataset.panel = id;
    page.append(picture);
  }
  const { drawing } = await import("/static/markup.js");
  document.body.replaceChildren(document.importNode(drawing(sprite), true), page);
  const places = new Places(plan);
  const renderer = new Renderer(places, page);
  const pieces = new Pieces(places, renderer);
  const symbol = (use) => `#${document.getElementById(use.getAttribute("href").slice(1)).id}`;
  const at = (node) => numbers(node.getAttribute("transform") ?? "");
  const words = (node) => node.textContent;

  const read = (panel) => ({
    slots: [...panel.querySelectorAll(".slot")].map((slot) => [
      slot.dataset.slot, slot.getAttribute("class").split(" ")[1], at(slot), slot.getAttribute("aria-label"),
      [...slot.querySelectorAll(":scope > .caption")].map(words),
      [...slot.querySelectorAll("use")].map((use) => symbol(use)).sort(),
      slot.querySelectorAll(".well, .plate, .card, .badge, .flower, .bed, .hit").length,
    ]),
    pieces: [...panel.querySelectorAll(".piece")].map((piece) => [
      piece.dataset.slot, piece.dataset.kind, at(piece), [...piece.querySelectorAll(".count-text")].map(words),
    ]),
    labels: [...panel.querySelectorAll('[data-layer="labels"] text')].filter(words).map((label) => [
      words(label), label.getAttribute("class"), numbers(`${label.getAttribute("x")} ${label.getAttribute("y")}`), label.getAttribute("text-anchor"),
    ]),
    keys: [...panel.querySelectorAll(".key")].map((key) => [key.dataset.for, words(key), at(key)]),
    active: [...panel.querySelectorAll(".board.active")].map((board) => board.getAttribute("class")),
  });

  const wanted = new Set(compared);
  return frames.flatMap((frame, i) => {
    const { whole, lies = {} } = frame.news;
    const changed = new Map(Object.entries(lies).map(([slot, lying]) => [Number(slot), lying]));
    if (whole) for (const slot of pieces.tokens.keys()) if (!changed.has(slot)) changed.set(slot, []);
    for (const { node, merges } of pieces.show(changed)) if (merges) node.remove();
    renderer.show(frame);
    return wanted.has(i) ? [[...page.children].map(read)] : [];
  });
}
