import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { Piscina } from 'piscina';
import type { Screen } from '../../../descriptor/types.ts';

/** A validator module, plain and compressed. */
export interface ValidatorModule {
  plain: Buffer;
  br: Buffer;
}

export interface Validators {
  /** The module of a screen; generated on first use, outside the request thread (a large schema takes 130 ms). */
  of(screen: Screen): Promise<ValidatorModule>;
  close(): Promise<void>;
}

const REMEMBERED = 300;
/** The thread uses 60 MB or more; it ends after this idle time. */
const IDLE_MS = 30_000;

export function createValidators(): Validators {
  const made = new Map<string, Promise<ValidatorModule>>();
  const compiler = new Piscina<object, string>({
    filename: new URL('./validator_worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  async function make(screen: Screen): Promise<ValidatorModule> {
    const code = await compiler.run(screen.schema);
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
    close: () => compiler.destroy(),
  };
}
