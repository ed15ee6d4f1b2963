/** An act that waits on this device until it is sent. */
export interface WaitingAct {
  /** Its place in the order of this device. */
  seq: number;
  key: string;
  /** Who did it: nobody else sends it. */
  person: number;
  entityId: number | null;
  type: string;
  /** Absent: it makes the record, or is a step of one that `clientId` makes. */
  id?: number;
  /** The key of the act that makes the record, as long as the record has no number. */
  clientId?: string;
  /** What it is called, for people. */
  title: string;
  /** `create`, `change`, or a transition. */
  do: string;
  /** Of a change the old and the new value by field; files are named by their content. */
  input: Record<string, unknown>;
  at: string;
  /** Why it needs its person. */
  needs?: {
    message: string;
    theirs: Record<string, unknown>;
    /** The server keeps it too: it may be decided on another device. */
    onServer?: boolean;
  };
  /** The refused act in whose place it is. */
  instead?: string;
}

/** A file that waits on this device. */
export interface WaitingFile {
  /** In forms it stands as `ON_DEVICE` and this. */
  id: number;
  person: number;
  /** Of its content. */
  sha256: string;
  name: string;
  type: string;
  /** `<type>.<field>` that it is for. */
  target: string;
  /** Gone as soon as it is sent and no act needs it. */
  bytes?: ArrayBuffer;
  /** The number that the server gave it. */
  stored?: number;
}

const ACTS = 'acts';
const FILES = 'files';
let opened: Promise<IDBDatabase> | undefined;

/** The database of this device; it outlives the browser. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outbox', 2);
    request.onupgradeneeded = ({ oldVersion }) => {
      const db = request.result;
      if (oldVersion < 1) db.createObjectStore(ACTS, { keyPath: 'seq', autoIncrement: true });
      if (oldVersion < 2)
        db.createObjectStore(FILES, { keyPath: 'id', autoIncrement: true }).createIndex('sha256', 'sha256');
    };
    request.onsuccess = () => {
      const db = request.result;
      // A newer version of the application in another tab does not wait for this one.
      db.onversionchange = () => {
        db.close();
        opened = undefined;
      };
      resolve(db);
    };
    request.onerror = () => reject(request.error ?? new Error('The store of this device does not open.'));
  }).catch((error: unknown) => {
    // The next act tries again.
    opened = undefined;
    throw error;
  });
  return opened;
}

async function within<T>(
  store: typeof ACTS | typeof FILES,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await database();
  return new Promise((resolve, reject) => {
    // The transaction completes only after the act is on disk.
    const transaction = db.transaction(store, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error ?? new Error('This device could not store it.'));
    transaction.onabort = transaction.onerror;
  });
}

/** All that waits on this device, in order. */
export const storedActs = (): Promise<WaitingAct[]> =>
  within(ACTS, 'readonly', (acts) => acts.getAll() as IDBRequest<WaitingAct[]>);

/** Keeps an act, a new one behind all others. */
export const storeAct = (act: Omit<WaitingAct, 'seq'> & { seq?: number }): Promise<unknown> =>
  within(ACTS, 'readwrite', (acts) => acts.put(act));

export const removeAct = (seq: number): Promise<unknown> => within(ACTS, 'readwrite', (acts) => acts.delete(seq));

/** Keeps a file, or what became of it. @returns its number here */
export const storeFile = async (file: Omit<WaitingFile, 'id'> & { id?: number }): Promise<number> =>
  Number(await within(FILES, 'readwrite', (files) => files.put(file)));

export const fileOnDevice = (id: number): Promise<WaitingFile | undefined> =>
  within(FILES, 'readonly', (files) => files.get(id) as IDBRequest<WaitingFile | undefined>);

/** Files of one content. */
export const filesOfContent = (sha256: string): Promise<WaitingFile[]> =>
  within(FILES, 'readonly', (files) => files.index('sha256').getAll(sha256) as IDBRequest<WaitingFile[]>);

export const removeFile = (id: number): Promise<unknown> => within(FILES, 'readwrite', (files) => files.delete(id));

/** Numbers of all files of this device, without their content. */
export const fileNumbers = (): Promise<number[]> =>
  within(FILES, 'readonly', (files) => files.getAllKeys() as IDBRequest<number[]>);
