// @ts-check
// The button that hands the address of this page, and a picture if there is one, to another program, where the system can do that.

const share = /** @type {HTMLButtonElement | null} */ (document.querySelector(".share"));
if (share && "share" in navigator) {
  share.hidden = false;
  share.onclick = () => { offer(share.dataset).catch(() => {}); };
}

/** @param {DOMStringMap} asked */
async function offer({ title = "", path = "", picture = "" }) {
  const said = { title, text: title, url: new URL(path, location.href).href };
  const files = picture ? [new File([await (await fetch(picture)).blob()], "azulejos.png", { type: "image/png" })] : [];
  await navigator.share(files.length && navigator.canShare?.({ files }) ? { ...said, files } : said);
}
