import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** Methods of spreading that planning does not offer yet, and a rounding that its caller is about to use. */
const WAITING = new Set(['grown', 'compounded']);
const NAME = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const IMPORT = /import\s*\{([^}]*)\}\s*from/g;
const COMMENT = /\/\*[^]*?\*\/|\/\/.*$/gm;

it('arithmetic that only tests call is not kept: the product would compute it otherwise, or not at all', () => {
  const files = globSync('{src,scripts}/**/*.{ts,tsx}', { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const imported = new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(IMPORT)].flatMap(([, names]) => names!.split(',').map((name) => name.trim().split(' ')[0]!)),
    ),
  );
  const unused = files
    .filter(({ path }) => path.startsWith(join('src', 'domain')))
    .flatMap(({ path, text }) => {
      const code = text.replaceAll(COMMENT, '');
      return [...code.matchAll(NAME)].flatMap(([, name]) => {
        const uses = code.match(new RegExp(String.raw`\b${name!}\b`, 'g'))!.length;
        return uses > 1 || imported.has(name!) || WAITING.has(name!) ? [] : [`${path} ${name!}`];
      });
    });
  expect(unused).toEqual([]);
});
