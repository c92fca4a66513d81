// The service worker: files of this folder are kept, requests of pages go to the window that runs the application.
// `VERSION`, `FILES` (what is needed without a connection), `SIZE` and `POLICY` precede this text (web/alone/export.py).
const ROOT = new URL(self.registration.scope).pathname;
const APP = `${ROOT}app/`;
const STATIC = `${APP}static/`;
const FOR_EVER = /^(plan|sprite|art|lesson|puzzle|living|engine)\//;
const TYPES = { wasm: "application/wasm", mjs: "text/javascript", js: "text/javascript", css: "text/css", json: "application/json" };
const PATIENCE = 600_000; // milliseconds: a window that begins answers when it can

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(["./", "host.js", "shell.css"].map((name) => `${ROOT}${name}`))));
});

self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "keep all") event.waitUntil(keepAll(event.source));
});

self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  if (pathname.startsWith(STATIC)) event.respondWith(kept(`${ROOT}static/${pathname.slice(STATIC.length)}`));
  else if (pathname.startsWith(APP)) event.respondWith(fromPage(request, pathname.slice(APP.length)));
  else if (request.method === "GET") event.respondWith(kept(pathname === `${ROOT}index.html` ? ROOT : pathname));
});

async function kept(path) {
  const cache = await caches.open(VERSION), found = await cache.match(path);
  if (found) return found;
  const answer = guarded(await read(path));
  if (answer.ok) await cache.put(path, answer.clone());
  return answer;
}

/** A file; large ones lie there compressed. */
async function read(path) {
  const name = path.slice(ROOT.length), packed = PACKED.includes(name);
  if (!packed) return fetch(path);
  const found = await fetch(`${path}.gz`);
  if (!found.ok || !found.body) return found;
  const bytes = found.headers.get("content-encoding") === "gzip" ? found.body : found.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(bytes, { headers: { "content-type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream" } });
}

/** A static web space sends no headers, and scripts of workers need the policy, too. */
function guarded(answer) {
  const headers = new Headers(answer.headers);
  if (!(headers.get("content-type") ?? "").startsWith("text/html")) headers.set("content-security-policy", POLICY);
  headers.set("x-content-type-options", "nosniff");
  return new Response(answer.body, { status: answer.status, headers });
}

/** A page from before Python runs, or what it shows. */
async function early(file, type) {
  const text = (await (await kept(`${ROOT}early/${file}`)).text()).replaceAll(EARLY.here, ROOT);
  return new Response(text, { headers: { "content-type": type, "content-security-policy": POLICY, "x-content-type-options": "nosniff" } });
}

async function fromPage(request, path) {
  const full = path + new URL(request.url).search, part = EARLY.parts[full];
  if (part && request.method === "GET") return early(...part);
  const lasting = request.method === "GET" && FOR_EVER.test(path), cache = await caches.open(VERSION);
  if (lasting) {
    const found = await cache.match(request.url);
    if (found) return found;
  }
  const body = ["GET", "HEAD"].includes(request.method) ? new ArrayBuffer(0) : await request.arrayBuffer();
  const headers = Object.fromEntries(["accept", "content-type", "content-length"].flatMap((name) => {
    const value = name === "content-length" ? String(body.byteLength) : request.headers.get(name);
    return value ? [[name, value]] : [];
  }));
  const asked = { method: request.method, url: request.url, headers, body };
  const hasEarly = request.method === "GET" && Object.values(EARLY.pages).some((pages) => full in pages);
  const { early: language, status, headers: pairs, body: bytes } = await asking({ request: asked, hasEarly });
  if (language) return early(EARLY.pages[language][full], "text/html; charset=utf-8");
  const empty = [204, 205, 304].includes(status) || (status >= 300 && status < 400);
  const answer = new Response(empty ? null : bytes, { status, headers: pairs });
  if (lasting && answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

/** Ask the windows of this folder; the one that runs the application answers. */
async function asking(message) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shells = windows.filter(({ url }) => !new URL(url).pathname.startsWith(APP));
  return new Promise((resolve) => {
    for (const shell of shells) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      shell.postMessage(message, [port2]);
    }
    const gone = new TextEncoder().encode(`<!doctype html><meta http-equiv="refresh" content="0; url=${ROOT}">`);
    const leave = () => resolve({ status: 200, headers: [["content-type", "text/html"]], body: gone });
    if (!shells.length) leave();
    setTimeout(leave, PATIENCE);
  });
}

async function keepAll(source) {
  const cache = await caches.open(VERSION), there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = FILES.filter((name) => !there.has(`${ROOT}${name}`));
  for (const name of missing) await kept(`${ROOT}${name}`);
  if (missing.length) source.postMessage({ offline: SIZE });
}
