import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as menuIcons from '../../../../src/client/app/layout/menu_icons.ts';

const schemas = join(import.meta.dirname, '../../../../schemas');

it('every icon named by the menu and the descriptors exists', () => {
  const missing = globSync('**/*.json', { cwd: schemas, exclude: ['meta'] }).flatMap((file) =>
    [...readFileSync(join(schemas, file), 'utf8').matchAll(/"icon(?:_board)?": "(\w+)"/g)].flatMap(([, name]) =>
      name !== undefined && `${name}Regular` in menuIcons ? [] : [`${file}: ${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
