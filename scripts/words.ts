/**
 * `npm run words`: writes what follows from the words of a descriptor (src/descriptor/words): the meta-schema that editors
 * complete from, and the reference in docs/descriptors.md. With --check it writes nothing and fails if they are not up to date.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reference, written } from '../src/descriptor/words/reference.ts';
import { screenSchema } from '../src/descriptor/words/screen_schema.ts';

const root = join(import.meta.dirname, '..');
const schemaFile = join(root, 'schemas/meta/screen.schema.json');
const docsFile = join(root, 'docs/descriptors.md');

/** The text with each reference between its marks. */
function documented(text: string): string {
  return (['screen', 'field'] as const).reduce((before, on) => {
    const [open, close] = [
      `<!-- words of a ${on}: written by npm run words -->`,
      `<!-- end of the words of a ${on} -->`,
    ];
    const [start, end] = [before.indexOf(open), before.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`docs/descriptors.md has lost its mark "${open}".`);
    return `${before.slice(0, start + open.length)}\n\n${reference(on)}\n\n${before.slice(end)}`;
  }, text);
}

const docs = readFileSync(docsFile, 'utf8');
const isSchemaRight = JSON.stringify(JSON.parse(readFileSync(schemaFile, 'utf8'))) === JSON.stringify(screenSchema);
const areDocsRight = docs === documented(docs);
if (process.argv.includes('--check')) {
  const old = [
    ...(isSchemaRight ? [] : ['schemas/meta/screen.schema.json']),
    ...(areDocsRight ? [] : ['docs/descriptors.md']),
  ];
  console.log(
    old.length === 0
      ? 'Schema and reference of the words are up to date.'
      : `${old.join(' and ')} differ from src/descriptor/words. Run npm run words.`,
  );
  process.exitCode = old.length === 0 ? 0 : 1;
} else {
  if (!isSchemaRight) {
    writeFileSync(schemaFile, `${written(screenSchema)}\n`);
    spawnSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), schemaFile], {
      cwd: root,
      stdio: 'inherit',
    });
  }
  if (!areDocsRight) writeFileSync(docsFile, documented(docs));
}
