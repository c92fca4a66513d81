// Runs before the page is drawn: in an upright window every picture has its proportions at once, and nothing moves later.
if (!matchMedia("(min-aspect-ratio: 1/1)").matches) {
  for (const picture of document.querySelectorAll("svg[data-upright]")) {
    picture.setAttribute("viewBox", picture.getAttribute("data-upright") ?? "");
  }
}
