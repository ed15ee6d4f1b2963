import type { Answer } from '../../../domain/questionnaire/question.ts';

/** An answer on its way. */
export interface Waiting extends Answer {
  code: string;
  at: string;
  client: string;
  seq: number;
}

/** The state of answers: all saved, being sent, waiting for a connection, or refused with a reason. */
export type QueueState = { name: 'kept' | 'sending' | 'waiting' } | { name: 'refused'; message: string };

/** Refused by the server; status 0: unreachable. */
const isRefusal = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

/** Answers given within this time are sent together. */
const GATHER_MS = 250;
const RETRY_MS = [2_000, 5_000, 15_000, 30_000];

const CLIENT_KEY = 'answers.client';

/** A random id of this browser, which does not identify its user. */
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
 * Sends answers one after the other, as soon as they are given. Unsent answers are stored in the browser, survive its
 * end, and are sent when the connection is back.
 */
export class AnswerQueue {
  readonly #key: string;
  readonly #send: (answers: Waiting[]) => Promise<void>;
  readonly #keepToo: (answers: Waiting[]) => void;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Map<string, Waiting>();
  #state: QueueState = { name: 'kept' };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #running: Promise<void> | undefined;
  #seq = 0;

  /**
   * @param key under which the browser stores waiting answers
   * @param keepToo stores them elsewhere as well
   */
  constructor(
    key: string,
    send: (answers: Waiting[]) => Promise<void>,
    keepToo: (answers: Waiting[]) => void = () => undefined,
  ) {
    this.#key = key;
    this.#send = send;
    this.#keepToo = keepToo;
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

  /** The unsent answers, over the sent ones. */
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

  /** Sends waiting answers at once. @returns when nothing is waiting any more, or nothing can be sent */
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

  /** Stops; waiting answers stay in the browser. */
  close(): void {
    removeEventListener('online', this.#again);
    void this.flush();
  }

  #again = () => this.#later(0);

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  /** Sent answers no longer wait, unless they were changed in the meantime. */
  #done(batch: readonly Waiting[]): void {
    for (const { code, seq } of batch) if (this.#waiting.get(code)?.seq === seq) this.#waiting.delete(code);
    this.#keep();
  }

  #keep(): void {
    const waiting = [...this.#waiting.values()];
    this.#keepToo(waiting);
    try {
      if (waiting.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(waiting));
    } catch {
      // Full storage: waiting answers are in memory, and are sent from there.
    }
  }

  #say(state: QueueState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
