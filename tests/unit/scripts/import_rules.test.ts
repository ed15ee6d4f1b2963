import { describe, expect, test } from 'vitest';
import { circles, forbidden, wrongStatements } from '../../../scripts/import_rules.ts';

describe('layers of the server', () => {
  test.each([
    ['db/names.ts', 'services/jobs/jobs.ts'],
    ['services/files/store.ts', 'access/context.ts'],
    ['access/sessions/guard.ts', 'engine/records/engine.ts'],
    ['engine/modules.ts', 'platform/menu/menu.ts'],
    ['platform/menu/menu.ts', 'modules/act/approvals.ts'],
    ['modules/act/approvals.ts', 'http/records/records.ts'],
    ['http/records/records.ts', 'app.ts'],
    ['http/records/records.ts', 'app/record_services.ts'],
    ['services/mail/mail_accounts.ts', 'config.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(forbidden(`src/server/${from}`, `src/server/${to}`)).toMatch(/imports run down only/);
    expect(forbidden(`src/server/${to}`, `src/server/${from}`)).toBeNull();
  });

  test('a file outside them imports nothing', () => {
    expect(forbidden('src/server/elsewhere/records.ts', 'src/server/db/names.ts')).toMatch(
      /stands on one of its floors/,
    );
  });

  test('a folder may import another folder of its layer, but a module no other module', () => {
    expect(forbidden('src/server/engine/excel/runs.ts', 'src/server/engine/records/engine.ts')).toBeNull();
    expect(forbidden('src/server/modules/act/a.ts', 'src/server/modules/admin/b.ts')).toMatch(/never another|another/);
  });
});

describe('import cycles', () => {
  const imports = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a', 'elsewhere']],
    ['d', ['e']],
    ['e', []],
  ]);

  test('are found, without files that only lead into or out of them', () => {
    expect(circles(imports)).toEqual([['a', 'b', 'c']]);
    expect(
      circles(
        new Map([
          ['a', ['b']],
          ['b', []],
        ]),
      ),
    ).toEqual([]);
  });

  test('two that share a file are one', () => {
    expect(
      circles(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['a']],
          ['c', ['a']],
        ]),
      ),
    ).toEqual([['a', 'b', 'c']]);
  });
});

test('HTTP files contain only the listed statements, and the list only shrinks', () => {
  const left = new Map([['platform/audit', 4]]);
  expect(
    wrongStatements(
      new Map([
        ['platform/audit', 4],
        ['platform/menu', 0],
      ]),
      left,
    ),
  ).toEqual([]);
  expect(wrongStatements(new Map([['platform/audit', 5]]), left)).toEqual([expect.stringContaining('platform/audit')]);
  expect(
    wrongStatements(
      new Map([
        ['platform/audit', 4],
        ['platform/menu', 1],
      ]),
      left,
    ),
  ).toEqual([expect.stringContaining('http/platform/menu.ts makes 1')]);
  expect(wrongStatements(new Map([['platform/audit', 3]]), left)).toEqual([expect.stringContaining('SQL_LEFT')]);
});
