/*
 * The one service worker: keeps the program itself for when there is no network, and shows messages that come while no
 * tab is in front. It never keeps an answer of the server with data; what people take along is in the page's own store.
 */

/** Written by the build: the version, and the files of the program. */
const { version: VERSION, files: FILES } = self.PROGRAM;
const PROGRAM = `program ${VERSION}`;
/** Checks of forms that were used here, by the hash in their address; no data is in them. */
const CHECKS = 'checks';
/** So long a page may take before the one that is kept is shown. */
const PAGE_MS = 8_000;

const page = () => new Request('/', { headers: { accept: 'text/html' } });

self.addEventListener('install', (event) =>
  event.waitUntil(
    caches.open(PROGRAM).then(async (cache) => {
      await cache.addAll([page(), ...FILES]);
      // The first one serves at once; a newer one waits until the person agrees, or until every tab is closed.
      if (!self.registration.active) await self.skipWaiting();
    }),
  ),
);

self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== PROGRAM && name !== CHECKS) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener('message', (event) => {
  if (event.data === 'take') event.waitUntil(self.skipWaiting());
  if (event.data === 'forget') event.waitUntil(caches.delete(CHECKS));
});

async function kept(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The page from the server, so that its version is that of now; without it, the one that is kept. */
async function shown(request) {
  const slow = new Promise((_, reject) => setTimeout(() => reject(new Error('slow')), PAGE_MS));
  try {
    return await Promise.race([fetch(request), slow]);
  } catch {
    return (await caches.match('/', { ignoreVary: true })) ?? fetch(request);
  }
}

async function check(request) {
  const cache = await caches.open(CHECKS);
  const known = await cache.match(request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // Files, documents of the interface and the like are no pages of the program.
    if (!/^\/(t?api|papi|files|docs|oauth)(\/|$)|\.\w{2,5}$/.test(pathname)) event.respondWith(shown(request));
  } else if (pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else if (/^\/screens\/[\w.-]+\.js$/.test(pathname)) event.respondWith(check(request));
});

const tabs = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

self.addEventListener('push', (event) => {
  let data = {};
  try {
    data = event.data?.json().data ?? {};
  } catch {
    // Not one of ours.
  }
  if (!data.title) return;
  event.waitUntil(
    tabs().then((open) => {
      // A tab in front shows it by itself.
      if (open.some((tab) => tab.focused)) return undefined;
      return self.registration.showNotification(data.title, {
        body: data.body ?? '',
        tag: data.tag,
        icon: '/favicon.svg',
        data: { link: data.link },
      });
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data?.link ?? '/notifications', self.location.origin);
  // Only pages of this address.
  const link = address.origin === self.location.origin ? address.href : self.location.origin;
  event.waitUntil(
    tabs().then(async (open) => {
      const tab = open[0];
      if (!tab) return self.clients.openWindow(link);
      await tab.focus();
      return tab.url === link ? undefined : tab.navigate(link).catch(() => self.clients.openWindow(link));
    }),
  );
});
