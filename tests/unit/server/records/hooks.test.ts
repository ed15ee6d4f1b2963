import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Field, Screen } from '../../../../src/descriptor/types.ts';
import type { Services } from '../../../../src/server/engine/modules.ts';
import type { Session } from '../../../../src/server/access/context.ts';
import { loadHooks } from '../../../../src/server/engine/records/hooks.ts';

const dir = mkdtempSync(join(tmpdir(), 'hooks-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('hooks are found by folder and type; a type without any has no findings', async () => {
  mkdirSync(join(dir, 'lifts'));
  writeFileSync(
    join(dir, 'lifts', 'make.ts'),
    `export default { check: (_session, record) => [{ field: 'name', message: String(record.name) }] };`,
  );
  const hooks = await loadHooks(dir, {} as Services);
  const check = (folder: string, name: string) =>
    hooks.check({} as Session, { folder, name, fields: [] as Field[] } as Screen, { name: 'Otis' }, null, new Map());
  expect(await check('lifts', 'make')).toEqual([{ field: 'name', message: 'Otis' }]);
  expect(await check('other', 'make')).toEqual([]);
  expect(
    await (
      await loadHooks(join(dir, 'absent'), {} as Services)
    ).check({} as Session, { folder: 'lifts', name: 'make', fields: [] as Field[] } as Screen, {}, null, new Map()),
  ).toEqual([]);
});
