// Runs before the page is drawn: what was open on this device is open again.
const { documentElement } = document;
if (localStorage.getItem("azulejos.keys")) documentElement.classList.add("show-keys");
if (matchMedia("(min-width: 1280px) and (min-aspect-ratio: 1/1)").matches) {
  const section = localStorage.getItem("azulejos.side");
  if (section) documentElement.dataset.side = section;
}
