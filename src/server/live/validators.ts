import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Screen } from '../../descriptor/types.ts';
import { createIdleWorker } from '../idle_worker.ts';

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

export function createValidators(): Validators {
  const made = new Map<string, Promise<ValidatorModule>>();
  const compiler = createIdleWorker<object, string>(
    new URL('./validator_worker.ts', import.meta.url),
    'The validator compiler',
  );

  async function make(screen: Screen): Promise<ValidatorModule> {
    const code = await compiler.ask(screen.schema);
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
    close: () => compiler.close(),
  };
}
