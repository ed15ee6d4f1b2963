import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const server = join(import.meta.dirname, '../../../../src/server');
const files = readdirSync(server, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path: relative(server, path), text: readFileSync(path, 'utf8') };
  });
const schema = String.raw`(?:public|\$\{[^}]+\}|\{s\})\.`;
const writers = (statement: string) =>
  files.filter(({ text }) => new RegExp(statement, 'i').test(text)).map(({ path }) => path);

/**
 * What processes remember is announced by whoever changes it. Clients' own tables are watched while the tests of the
 * interface run (tests/api/unannounced_rights.ts); here those of which a transaction keeps no trace.
 */
describe('who changes cached tables', () => {
  test('sessions are changed in one place, which announces it; only the last use is written elsewhere', () => {
    expect(writers(String.raw`update\s+${schema}session\s+set\s+(?!last_seen_at = now\(\) where)`)).toEqual([
      'access/sessions/session_changes.ts',
    ]);
    // Those that ended a month ago.
    expect(writers(String.raw`delete\s+from\s+${schema}session\b`)).toEqual(['modules/platform/jobs/session_sweep.ts']);
  });

  test('clients, their domains and platform users are changed only with an announcement', () => {
    const tables = '(?:client|client_domain|common_user|common_right|user_type)';
    const found = writers(String.raw`(?:insert\s+into|update|delete\s+from)\s+${schema}${tables}(?![a-z_])`);
    expect(found).toContain('platform/clients/lifecycle.ts');
    const silent = found.filter(
      (path) => !/\bannounce(?:Rights)?\(/.test(files.find((file) => file.path === path)!.text),
    );
    // Tables of before there were sessions, the first administrator, the demo's people, and what no session looks at.
    expect(silent.sort()).toEqual([
      'access/sessions/second_factor.ts',
      'db/system_tables.ts',
      'platform/clients/first_admin.ts',
      'platform/demo/platform_rows.ts',
    ]);
  });
});
