import type { Screen, WireRecord } from '../../../descriptor/types.ts';

/** What this device keeps of one person in one company, so that it opens without a network. */
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

/** A database of its own: it is emptied at sign-out, and what waits to be sent is not. */
function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('packet', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The store of this device does not open.'));
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

/** Keeps a packet in place of all others, in one transaction: a page that is closed meanwhile leaves the old one or the new one. */
export const keepPacket = (packet: KeptPacket): Promise<unknown> =>
  within('readwrite', (store) => {
    store.clear();
    return store.put(packet);
  });

/** Removes all packets of this device, whoever they are of. */
export const removePackets = (): Promise<unknown> => within('readwrite', (store) => store.clear());
