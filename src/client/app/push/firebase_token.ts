import { initializeApp } from 'firebase/app';
import { getMessaging, getToken } from 'firebase/messaging';

/** The web application as the Firebase console names it. */
export interface FirebaseSettings {
  apiKey: string;
  projectId: string;
  messagingSenderId: string;
  appId: string;
  vapidKey: string;
}

/** The address by which Firebase reaches this browser. A file of its own: it alone brings Firebase's code. */
export async function firebaseToken({ vapidKey, ...application }: FirebaseSettings): Promise<string> {
  const serviceWorkerRegistration = await navigator.serviceWorker.register('/service-worker.js');
  return getToken(getMessaging(initializeApp(application)), { vapidKey, serviceWorkerRegistration });
}
