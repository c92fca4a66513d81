// @ts-check
// The visitor's own page: what this browser keeps is sent to the server, and forgotten with it.
import { $ } from "./dom.js";
import { forget, sync } from "./progress.js";
import { inSite } from "./root.js";

const { forgotten, attempts = "0" } = $("you").dataset;
if (forgotten !== undefined) forget();
else {
  const found = await sync();
  if (found && found.attempts !== Number(attempts)) location.replace(inSite("you"));
}
