// @ts-check
// Pages about practice: what was solved without a connection is sent when one is there.
import { sync } from "./progress.js";

sync();
addEventListener("online", () => sync());
