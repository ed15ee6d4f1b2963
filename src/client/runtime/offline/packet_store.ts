import type { Screen, WireRecord } from '../../../descriptor/types.ts';

/** The data stored on this device for one person in one company, so that it opens without a network. */
export interface KeptPacket {
  /** Of the person and the company. */
  key: string;
  /** When the server collected it. */
  asOf: string;
  /** Answer of `/tapi/menu`. */
  menu: unknown;
  screens: Record<string, { screen: Screen; validator: string }>;
  types: { type: string; more: boolean; records: WireRecord[] }[];
  /** Questionnaires by their address. */
  sheets: Record<string, unknown>;
}

const STORE = 'packets';

/** A separate database: it is emptied at sign-out, unlike the actions waiting to be sent. */
function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('packet', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The storage of this device cannot be opened.'));
  });
}

async function within<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('This device could not store it.'));
    });
  } finally {
    db.close();
  }
}

export const keptPacket = (key: string): Promise<KeptPacket | undefined> =>
  within('readonly', (store) => store.get(key) as IDBRequest<KeptPacket | undefined>);

/**
 * Stores a packet in place of all others, in one transaction: if the page is closed meanwhile, either the old or the
 * new one exists.
 */
export const keepPacket = (packet: KeptPacket): Promise<unknown> =>
  within('readwrite', (store) => {
    store.clear();
    return store.put(packet);
  });

/** Removes all packets of this device, of all people. */
export const removePackets = (): Promise<unknown> => within('readwrite', (store) => store.clear());
