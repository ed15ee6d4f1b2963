/** An act that waits on this device until it is sent. */
export interface WaitingAct {
  /** Its place in the order of this device. */
  seq: number;
  key: string;
  /** Who did it: nobody else sends it. */
  person: number;
  entityId: number | null;
  type: string;
  id: number;
  /** What it is called, for people. */
  title: string;
  /** `change`, or a transition. */
  do: string;
  /** Of a change the old and the new value by field. */
  input: Record<string, unknown>;
  at: string;
  /** Why it needs its person. */
  needs?: { message: string; theirs: Record<string, unknown> };
}

const ACTS = 'acts';
let opened: Promise<IDBDatabase> | undefined;

/** The database of this device; it outlives the browser. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outbox', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(ACTS, { keyPath: 'seq', autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The store of this device does not open.'));
  }).catch((error: unknown) => {
    // The next act tries again.
    opened = undefined;
    throw error;
  });
  return opened;
}

async function within<T>(mode: IDBTransactionMode, work: (acts: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  return new Promise((resolve, reject) => {
    // The transaction completes only after the act is on disk.
    const transaction = db.transaction(ACTS, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(ACTS));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error ?? new Error('This device could not store it.'));
    transaction.onabort = transaction.onerror;
  });
}

/** All that waits on this device, in order. */
export const storedActs = (): Promise<WaitingAct[]> =>
  within('readonly', (acts) => acts.getAll() as IDBRequest<WaitingAct[]>);

/** Keeps an act, a new one behind all others. */
export const storeAct = (act: Omit<WaitingAct, 'seq'> & { seq?: number }): Promise<unknown> =>
  within('readwrite', (acts) => acts.put(act));

export const removeAct = (seq: number): Promise<unknown> => within('readwrite', (acts) => acts.delete(seq));
