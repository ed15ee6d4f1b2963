import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { Problem } from './types.ts';

const STRICT = { disallowComments: true, allowTrailingComma: false };

/** The text of a descriptor file; each finding gives its line. */
export class Source {
  readonly file: string;
  readonly problems: Problem[] = [];
  readonly text: string;
  readonly #reported: string[] = [];
  #tree: Node | undefined;
  #above: (string | number)[] = [];

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#findFault();
      return;
    }
    if (keysWritten(text) !== keysIn(value)) this.#findRepeatedKeys();
  }

  /** Reports keys that an object has twice: JSON takes the last one and drops the others. */
  #findRepeatedKeys(): void {
    const visit = (node: Node, path: (string | number)[]): void => {
      const seen = new Set<string>();
      for (const [at, child] of (node.children ?? []).entries()) {
        if (node.type === 'array') visit(child, [...path, at]);
        else {
          const [name, value] = child.children as [Node, Node];
          const key = String(name.value);
          if (seen.has(key))
            this.problems.push({
              file: this.file,
              line: this.#lineAt(child.offset),
              path: shownPath([...path, key]),
              message: `"${key}" is written twice in the same object.`,
              hint: 'Remove one of them: only the last would count.',
            });
          seen.add(key);
          visit(value, [...path, key]);
        }
      }
    };
    this.#tree = parseTree(this.text, [], STRICT);
    if (this.#tree) visit(this.#tree, []);
  }

  /** Reports where the text stops being JSON. */
  #findFault(): void {
    const errors: ParseError[] = [];
    this.#tree = parseTree(this.text, errors, STRICT);
    const first = errors[0];
    this.problems.push({
      file: this.file,
      line: this.#lineAt(first?.offset ?? 0),
      path: '$',
      message: first
        ? `This is not JSON: ${printParseErrorCode(first.error)
            .replace(/([a-z])([A-Z])/g, '$1 $2')
            .toLowerCase()}.`
        : 'This is not JSON.',
      hint: 'Look for a missing comma, quote or bracket at or just before this line.',
    });
  }

  #lineAt(offset: number): number {
    return this.text.slice(0, offset).split('\n').length;
  }

  /** True if a problem is known at this path, above it or below it. */
  hasReported(path: (string | number)[]): boolean {
    const key = keyOf([...this.#above, ...path]);
    return this.#reported.some((other) => other !== '' && (key.startsWith(other) || other.startsWith(key)));
  }

  /** Reports a problem at a JSON path; the line is that of the nearest existing node. */
  report(below: (string | number)[], message: string, hint?: string): void {
    const path = [...this.#above, ...below];
    // Only places of problems need the tree, and most files have none.
    this.#tree ??= parseTree(this.text, [], STRICT);
    let node: Node | undefined;
    for (let length = path.length; node === undefined && length >= 0; length--)
      node = this.#tree && (length === 0 ? this.#tree : findNodeAtLocation(this.#tree, path.slice(0, length)));
    this.#reported.push(keyOf(path));
    this.problems.push({
      file: this.file,
      line: this.#lineAt(node?.parent?.type === 'property' ? node.parent.offset : (node?.offset ?? 0)),
      path: shownPath(path),
      message,
      ...(hint && { hint }),
    });
  }

  /** Runs a check whose findings are at paths below this one. */
  within<T>(path: (string | number)[], work: () => T): T {
    const before = this.#above;
    this.#above = [...before, ...path];
    try {
      return work();
    } finally {
      this.#above = before;
    }
  }
}

/** A path as it is shown: $.fields[0].name */
const shownPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, step) =>
      text + (typeof step === 'number' ? `[${step}]` : /^[\w$-]+$/.test(step) ? `.${step}` : `["${step}"]`),
    '$',
  );

/** The number of keys in the text of valid JSON. */
function keysWritten(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) count++;
  return count;
}

/** The number of keys of all objects in a value. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += keysIn(inner);
  return count;
}

function keyOf(path: (string | number)[]): string {
  return path.map((step) => `${step}\u0000`).join('');
}

/** The word of `known` most similar to `word`, if it is similar enough to be the intended one. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Letters to add, remove, change or swap with their neighbour: "gird" is one step from "grid". */
function editDistance(a: string, b: string): number {
  const table = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(
        row[j - 1]! + 1,
        table[i - 1]![j]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, table[i - 2]![j - 2]! + 1);
    }
    table.push(row);
  }
  return table[a.length]![b.length]!;
}

/** "Did you mean …" if there is a similar word, otherwise the whole list. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const list = [...known];
  const guess = nearest(word, list);
  return guess === undefined
    ? `There are: ${list.slice(0, 60).join(', ')}${list.length > 60 ? ' …' : ''}.`
    : `Did you mean "${guess}"?`;
}
