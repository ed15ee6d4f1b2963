import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bespokePages } from '../../../../src/client/modules/pages.ts';

const listed = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../schemas/pages.json'), 'utf8')) as {
    pages: Record<string, { by: string }>;
  }
).pages;

it('every page written in code is listed with its right, and every listed page exists', () => {
  const own = Object.entries(listed)
    .filter(([, { by }]) => !by.startsWith('shell:'))
    .map(([path]) => path);
  expect(Object.keys(bespokePages).sort()).toEqual(own.sort());
});
