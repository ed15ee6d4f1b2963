import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliCompress, constants } from 'node:zlib';
import type { Screen } from '../../descriptor/types.ts';

/** A validator module, plain and compressed. */
export interface ValidatorModule {
  plain: Buffer;
  br: Buffer;
}

export interface Validators {
  /** The module of a screen; made on first use, off the request thread (a large schema takes 130 ms). */
  of(screen: Screen): Promise<ValidatorModule>;
  close(): Promise<void>;
}

const REMEMBERED = 300;
/** The worker holds 60 MB; it goes when nobody has needed it for a while. */
const IDLE_MS = 30_000;

export function createValidators(): Validators {
  const made = new Map<string, Promise<ValidatorModule>>();
  const waiting = new Map<number, { resolve: (code: string) => void; reject: (error: Error) => void }>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let next = 0;

  function failAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function running(): Worker {
    if (worker) return worker;
    const started = new Worker(new URL('./validator_worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, code, error }: { id: number; code?: string; error?: string }) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (code !== undefined) call?.resolve(code);
      else call?.reject(new Error(error));
      if (waiting.size > 0) return;
      idle = setTimeout(() => {
        worker = null;
        void started.terminate();
      }, IDLE_MS).unref();
    });
    started.on('error', (error) => {
      if (worker === started) worker = null;
      failAll(error);
    });
    started.on('exit', () => {
      if (worker !== started) return;
      worker = null;
      failAll(new Error('The validator compiler ended.'));
    });
    return (worker = started);
  }

  async function make(screen: Screen): Promise<ValidatorModule> {
    clearTimeout(idle);
    const code = await new Promise<string>((resolve, reject) => {
      const id = ++next;
      waiting.set(id, { resolve, reject });
      running().postMessage({ id, schema: screen.schema });
    });
    const plain = Buffer.from(code);
    const br = await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    return { plain, br };
  }

  return {
    of(screen) {
      const key = `${screen.name} ${screen.hash}`;
      const known = made.get(key);
      if (known) return known;
      for (const oldest of made.keys()) {
        if (made.size < REMEMBERED) break;
        made.delete(oldest);
      }
      const making = make(screen);
      made.set(key, making);
      making.catch(() => made.delete(key));
      return making;
    },
    async close() {
      clearTimeout(idle);
      const ending = worker;
      worker = null;
      await ending?.terminate();
    },
  };
}
