import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { AppError } from '../../../../src/server/db/errors.ts';
import { loadDriver } from '../../../../src/server/platform/sync/driver.ts';

const empty = mkdtempSync(join(tmpdir(), 'mainstay-drivers-'));
afterAll(() => rmSync(empty, { recursive: true }));

it('a missing driver is named with the command that adds it', () => {
  for (const [name, title] of [
    ['sql-server', 'SQL Server'],
    ['oracle', 'Oracle'],
  ] as const) {
    let thrown: unknown;
    try {
      loadDriver(name, undefined, empty);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({
      status: 422,
      field: 'kind',
      message: `This server has no driver for ${title} yet. The operator of the server adds it with: npm run add -- ${name}`,
    });
  }
});
