// @ts-check
// Where the site begins: at the root of a name, or under a path such as example.org/azulejos/.
const ROOT = new URL("..", import.meta.url).pathname;

/** An address of this site. @param {string} path after the address of the home page, such as "rules" */
export const inSite = (path) => ROOT + path;
