import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const lines = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!rule \|)/.test(line));
const rows = lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
const sources = new Map<string, string>();
const read = (path: string) => {
  const known = sources.get(path) ?? (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
  sources.set(path, known);
  return known;
};

describe('docs/conformance.md', () => {
  it('has a line for each rule, with a place and a proof or what is missing', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });

  it('names existing files', () => {
    const named = rows.flatMap(([, where = '']) => [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path!));
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names existing tests by their exact titles', () => {
    const proofs = rows.flatMap(([, , shown = '']) => shown.split('<br>'));
    const wrong = proofs.filter((proof) => {
      if (proof.startsWith('not yet: ')) return false;
      const [, path = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(proof) ?? [];
      // The formatter may put a long name on a line of its own.
      const source = read(path).replaceAll(/\(\s+/g, '(');
      return name === '' || !["'", '"', '`'].some((quote) => source.includes(`(${quote}${name}${quote}`));
    });
    expect(wrong).toEqual([]);
  });
});
