import pg from 'pg';
import type { PoolClient, PoolConfig } from 'pg';

/** How long somebody waits for a connection. */
const WAIT_MS = 10_000;

interface Slot {
  /** For one connection: created, maintained and renewed there. */
  pool: pg.Pool;
  busy: boolean;
}

/**
 * The connections to a database. A client's statements use the same connection if it is free, and neighbouring ones
 * otherwise: its catalogue cache and prepared statements are reused, which would not happen with a thousand clients in
 * turn.
 */
export class Connections {
  readonly #slots: Slot[];
  readonly #waiting: ((slot: Slot) => void)[] = [];

  constructor(
    config: PoolConfig,
    size: number,
    listeners: { failed: (error: Error) => void; made: (pid: number) => void },
  ) {
    this.#slots = Array.from({ length: size }, () => {
      const slot: Slot = { pool: new pg.Pool({ ...config, max: 1, connectionTimeoutMillis: WAIT_MS }), busy: false };
      slot.pool.on('error', listeners.failed);
      // A checked-out connection has no pool listener: without one, a lost connection would end the process.
      slot.pool.on('connect', (client) => {
        client.on('error', () => {});
        listeners.made((client as PoolClient & { processID: number }).processID);
      });
      slot.pool.on('release', () => this.#free(slot));
      return slot;
    });
  }

  /** A connection, until it is released. `key` identifies the owner of the statements. */
  async take(key: string): Promise<PoolClient> {
    const slot = this.#pick(key) ?? (await this.#wait());
    slot.busy = true;
    try {
      return await slot.pool.connect();
    } catch (error) {
      this.#free(slot);
      throw error;
    }
  }

  load(): { connections: number; idle: number; waiting: number } {
    const open = this.#slots.filter(({ pool }) => pool.totalCount > 0);
    return { connections: open.length, idle: open.filter(({ busy }) => !busy).length, waiting: this.#waiting.length };
  }

  async end(): Promise<void> {
    await Promise.all(this.#slots.map(({ pool }) => pool.end()));
  }

  #pick(key: string): Slot | undefined {
    let first = 0;
    for (let at = 0; at < key.length; at++) first = (first * 31 + key.charCodeAt(at)) % 1_000_003;
    for (let step = 0; step < this.#slots.length; step++) {
      const slot = this.#slots[(first + step) % this.#slots.length]!;
      if (!slot.busy) return slot;
    }
    return undefined;
  }

  #wait(): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const given = (slot: Slot): void => {
        clearTimeout(timer);
        resolve(slot);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(given), 1);
        reject(new Error('timeout exceeded when trying to connect'));
      }, WAIT_MS);
      this.#waiting.push(given);
    });
  }

  #free(slot: Slot): void {
    const next = this.#waiting.shift();
    slot.busy = next !== undefined;
    next?.(slot);
  }
}
