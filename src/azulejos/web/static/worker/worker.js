// The service worker: lessons and some puzzles work without a connection. `VERSION` and `SHELL` precede this text (pages/app_files.py).
// The pages of puzzles keep some in a cache of their own (puzzle.js); it goes with the version of the files.
// Whatever can change is asked from the server first, so a page never runs with files of another version.
const ROOT = new URL(self.registration.scope).pathname;
const FOR_EVER = /^(plan|sprite|art|lesson|puzzle|living)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

// One file after the other: meanwhile somebody plays, and must not be refused because of what is kept for later.
async function keepAll() {
  const cache = await caches.open(VERSION);
  for (const path of SHELL) await keep(cache, path).catch(() => {});
}

async function keep(cache, path) {
  const answer = await fetch(path);
  if (answer.ok) return cache.put(path, answer);
  if (answer.status !== 429) return;
  await new Promise((resolve) => { setTimeout(resolve, 1000 * Number(answer.headers.get("retry-after") ?? 5)); });
  return keep(cache, path);
}

self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length);
  if (FOR_EVER.test(path)) event.respondWith(kept(request));
  else if (request.mode === "navigate" || path.startsWith("static/")) event.respondWith(fresh(request));
});

async function kept(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function fresh(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request, { ignoreSearch: true });
    if (found) return found;
    if (request.mode === "navigate") return caches.match(`${ROOT}offline`);
    throw error;
  }
}

// Notices while no page is open (pages/notices_page.py).
self.addEventListener("push", (event) => {
  const { title, body, link, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { link }, icon: `${ROOT}static/icon-192.png` }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data.link));
});
