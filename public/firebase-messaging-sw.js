/* Shows messages that come while no tab of this address is in front, and opens what they are about. */

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

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
      return self.registration.showNotification(data.title, { body: data.body ?? '', tag: data.tag, icon: '/favicon.svg', data: { link: data.link } });
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
