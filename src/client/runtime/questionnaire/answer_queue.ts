import type { Answer } from '../../../domain/questionnaire/question.ts';

/** An answer on its way. */
export interface Waiting extends Answer {
  code: string;
  at: string;
  client: string;
  seq: number;
}

/** Where answers stand: all kept, on their way, waiting for a connection, or refused and why. */
export type QueueState = { name: 'kept' | 'sending' | 'waiting' } | { name: 'refused'; message: string };

/** No by the server; status 0: it could not be reached. */
const isRefusal = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

/** What is answered within this is sent as one. */
const GATHER_MS = 250;
const RETRY_MS = [2_000, 5_000, 15_000, 30_000];

const CLIENT_KEY = 'answers.client';

/** This browser, by a name that tells nobody who uses it. */
export function clientName(): string {
  const known = localStorage.getItem(CLIENT_KEY);
  if (known !== null) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  localStorage.setItem(CLIENT_KEY, made);
  return made;
}

/**
 * Sends answers one after the other, each as soon as it is given. What has not reached the server stays in the browser,
 * survives its end, and is sent when the connection is back.
 */
export class AnswerQueue {
  readonly #key: string;
  readonly #send: (answers: Waiting[]) => Promise<void>;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<string, Waiting>();
  #state: QueueState = { name: 'kept' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #running: Promise<void> | undefined;
  #seq = 0;

  /** `key`: under which the browser keeps what waits. */
  constructor(key: string, send: (answers: Waiting[]) => Promise<void>) {
    this.#key = key;
    this.#send = send;
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as Waiting[];
      for (const one of kept) this.#waiting.set(one.code, one);
    } catch {
      localStorage.removeItem(key);
    }
    if (this.#waiting.size > 0) this.#later(0);
    addEventListener('online', this.#again);
  }

  get state(): QueueState {
    return this.#state;
  }

  /** What has not reached the server, over what has. */
  get waiting(): ReadonlyMap<string, Answer> {
    return this.#waiting;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(code: string, { value, na }: Answer): void {
    this.#seq = Math.max(this.#seq + 1, Date.now());
    const at = new Date().toISOString();
    this.#waiting.set(code, { code, value, ...(na && { na }), at, client: clientName(), seq: this.#seq });
    this.#keep();
    this.#tries = 0;
    this.#say({ name: 'sending' });
    this.#later(GATHER_MS);
  }

  /** Sends at once what waits. @returns when nothing waits any more, or nothing can be sent */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running ??= this.#sendAll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()];
      try {
        await this.#send(batch);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const isPassing = error.status === 0 || error.status === 429 || error.status >= 500;
        if (!isPassing) this.#done(batch);
        this.#say(isPassing ? { name: 'waiting' } : { name: 'refused', message: error.message });
        if (isPassing) this.#later(RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]!);
        return;
      }
      this.#done(batch);
      this.#tries = 0;
      this.#say({ name: this.#waiting.size === 0 ? 'kept' : 'sending' });
    }
  }

  /** Stops; what waits stays in the browser. */
  close(): void {
    removeEventListener('online', this.#again);
    void this.flush();
  }

  #again = () => this.#later(0);

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  /** What was sent waits no more, unless it was answered anew meanwhile. */
  #done(batch: readonly Waiting[]): void {
    for (const { code, seq } of batch) if (this.#waiting.get(code)?.seq === seq) this.#waiting.delete(code);
    this.#keep();
  }

  #keep(): void {
    try {
      if (this.#waiting.size === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify([...this.#waiting.values()]));
    } catch {
      // Full storage: what waits is in memory, and is sent from there.
    }
  }

  #say(state: QueueState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
