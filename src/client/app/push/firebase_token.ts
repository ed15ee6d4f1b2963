import { initializeApp } from 'firebase/app';
import { getMessaging, getToken } from 'firebase/messaging';

/** The web application's configuration in Firebase. */
export interface FirebaseSettings {
  apiKey: string;
  projectId: string;
  messagingSenderId: string;
  appId: string;
  vapidKey: string;
}

/** The token with which Firebase reaches this browser. A separate file, because it loads Firebase's code. */
export async function firebaseToken({ vapidKey, ...application }: FirebaseSettings): Promise<string> {
  const serviceWorkerRegistration = await navigator.serviceWorker.register('/service-worker.js');
  return getToken(getMessaging(initializeApp(application)), { vapidKey, serviceWorkerRegistration });
}
