/** An action that waits on this device until it is sent. */
export interface WaitingAct {
  /** Its position in the order of this device. */
  seq: number;
  key: string;
  /** The person who did it: it is sent only in their session. */
  person: number;
  entityId: number | null;
  type: string;
  /** Absent: it creates the record, or is a transition of the one that `clientId` creates. */
  id?: number;
  /** The key of the action that creates the record, as long as the record has no id. */
  clientId?: string;
  /** Its title for people. */
  title: string;
  /** `create`, `change`, or a transition. */
  do: string;
  /** For a change the old and new values by field; files are referred to by content. */
  input: Record<string, unknown>;
  at: string;
  /** Why it needs its person. */
  needs?: {
    message: string;
    theirs: Record<string, unknown>;
    /** The server stores it too: it may be resolved on another device. */
    onServer?: boolean;
  };
  /** The refused action that it replaces. */
  instead?: string;
}

/** A file that waits on this device. */
export interface WaitingFile {
  /** Forms refer to it by `ON_DEVICE` plus this number. */
  id: number;
  person: number;
  /** Of its content. */
  sha256: string;
  name: string;
  type: string;
  /** `<type>.<field>` for which it is. */
  target: string;
  /** Removed as soon as it is sent and no action needs it. */
  bytes?: ArrayBuffer;
  /** The id that the server assigned. */
  stored?: number;
}

const ACTS = 'acts';
const FILES = 'files';
const ANSWERS = 'answers';
let opened: Promise<IDBDatabase> | undefined;

/** The database of this device; it survives the end of the browser. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('outbox', 3);
    request.onupgradeneeded = ({ oldVersion }) => {
      const db = request.result;
      if (oldVersion < 1) db.createObjectStore(ACTS, { keyPath: 'seq', autoIncrement: true });
      if (oldVersion < 2)
        db.createObjectStore(FILES, { keyPath: 'id', autoIncrement: true }).createIndex('sha256', 'sha256');
      if (oldVersion < 3) db.createObjectStore(ANSWERS);
    };
    request.onsuccess = () => {
      const db = request.result;
      // A newer version of the application in another tab does not have to wait for this one.
      db.onversionchange = () => {
        db.close();
        opened = undefined;
      };
      resolve(db);
    };
    request.onerror = () => reject(request.error ?? new Error('The storage of this device cannot be opened.'));
  }).catch((error: unknown) => {
    // The next action retries.
    opened = undefined;
    throw error;
  });
  return opened;
}

async function within<T>(
  store: typeof ACTS | typeof FILES | typeof ANSWERS,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await database();
  return new Promise((resolve, reject) => {
    // The transaction completes only when the action is on disk.
    const transaction = db.transaction(store, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error ?? new Error('This device could not store it.'));
    transaction.onabort = transaction.onerror;
  });
}

/** All actions waiting on this device, in order. */
export const storedActs = (): Promise<WaitingAct[]> =>
  within(ACTS, 'readonly', (acts) => acts.getAll() as IDBRequest<WaitingAct[]>);

/** Stores an action; a new one after all others. */
export const storeAct = (act: Omit<WaitingAct, 'seq'> & { seq?: number }): Promise<unknown> =>
  within(ACTS, 'readwrite', (acts) => acts.put(act));

export const removeAct = (seq: number): Promise<unknown> => within(ACTS, 'readwrite', (acts) => acts.delete(seq));

/** Stores a file, or its new state. @returns its number here */
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

/** Stores the unsent answers to a questionnaire under its key; an empty list deletes them. */
export const storeAnswers = (key: string, answers: readonly unknown[]): Promise<unknown> =>
  within(
    ANSWERS,
    'readwrite',
    (store) => (answers.length === 0 ? store.delete(key) : store.put(answers, key)) as IDBRequest<unknown>,
  );

export const answersOnDevice = (key: string): Promise<unknown> =>
  within(ANSWERS, 'readonly', (store) => store.get(key) as IDBRequest<unknown>);

/** The keys of all answers on this device. */
export const answerKeys = (): Promise<string[]> =>
  within(ANSWERS, 'readonly', (store) => store.getAllKeys() as IDBRequest<string[]>);
