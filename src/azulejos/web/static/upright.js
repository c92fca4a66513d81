// In an upright window every picture gets its proportions as soon as the page is read. If this file is late, the places stay hidden until
// then (table.css), so that nothing moves.
if (!matchMedia("(min-aspect-ratio: 1/1)").matches) {
  for (const picture of document.querySelectorAll("svg[data-upright]")) {
    picture.setAttribute("viewBox", picture.getAttribute("data-upright") ?? "");
  }
  for (const picture of document.querySelectorAll("svg[data-tall]")) { // the form in which pieces are larger, as in arrange.js
    const { clientWidth, clientHeight } = /** @type {Element} */ (picture.parentElement);
    const [higher, usual] = ["data-tall", "data-upright"].map((name) => {
      const [, , width, height] = (picture.getAttribute(name) ?? "").split(" ").map(Number);
      return Math.min(clientWidth / width, clientHeight / height);
    });
    if (higher > usual) picture.setAttribute("viewBox", picture.getAttribute("data-tall") ?? "");
  }
}
document.documentElement.dataset.proportions = "";
