// @ts-check
// The button that hands the address of this page to another program, where the system can do that.

const share = /** @type {HTMLButtonElement | null} */ (document.querySelector(".share"));
if (share && "share" in navigator) {
  share.hidden = false;
  const { title, path = "" } = share.dataset;
  const url = new URL(path, location.href).href;
  share.onclick = () => { navigator.share({ title, text: title, url }).catch(() => {}); };
}
