import { createHash } from 'node:crypto';
import type { Statement } from '../db/database.ts';

/** Collects the values of a statement while its text is written: `$1`, `$2` … */
export class Values {
  readonly list: unknown[] = [];

  /** Binds a value; the answer stands for it in the text. */
  bind(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

const names = new Map<string, string>();

/** A statement under a name made of its text, so that a connection prepares it once. */
export function named(text: string, values: unknown[]): Statement {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size > 5_000) names.clear();
    name = createHash('sha1').update(text).digest('hex').slice(0, 16);
    names.set(text, name);
  }
  return { text, values, name };
}

/** Text for LIKE in which what a person typed stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (sign) => `\\${sign}`);
}
