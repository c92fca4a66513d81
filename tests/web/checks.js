// What a careful person would look for on any page of ours; returns a list of complaints.
(phone) => {
  const complaints = [];
  const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 1;
  const nameOf = (e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.getAttribute("title") || e.textContent || "").trim();
  const say = (e, what) => complaints.push(`${what}: ${e.outerHTML.slice(0, 120)}`);

  if (!document.documentElement.lang) complaints.push("the page does not say its language");
  if (!document.title) complaints.push("the page has no title");
  if (document.querySelectorAll("h1").length !== 1) complaints.push("there is not exactly one h1");
  if (document.querySelectorAll("main").length !== 1) complaints.push("there is not exactly one main");
  if (document.documentElement.scrollWidth > innerWidth) complaints.push(`sideways scroll: ${document.documentElement.scrollWidth} > ${innerWidth}`);

  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) complaints.push(`two elements are called ${id}`);
  for (const e of document.querySelectorAll("[aria-labelledby]")) if (!document.getElementById(e.getAttribute("aria-labelledby"))) say(e, "names a missing label");

  for (const e of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, summary")) {
    if (!visible(e)) continue;
    if (!nameOf(e)) say(e, "has no name");
    const box = e.getBoundingClientRect();
    const small = Math.min(box.width, box.height) < (phone ? 43.5 : 24);
    const inText = e.tagName === "A" && getComputedStyle(e).display === "inline";
    if (small && !inText && e.type !== "checkbox" && !e.classList.contains("skip")) say(e, `is ${Math.round(box.width)}x${Math.round(box.height)}, too small`);
  }

  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  for (const e of document.querySelectorAll("body *:not(svg, svg *, script, option, select)")) {
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!text || !visible(e) || e.closest(":disabled")) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color).slice(0, 3)), light(ground(e))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) say(e, `contrast ${contrast.toFixed(1)}`);
  }
  return complaints;
}
