import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { schemaNew } from '../../../scripts/schema_new.ts';
import { copySchemas } from '../../api/schemas_with.ts';
import { loadScreens } from '../../../src/server/engine/descriptors/load.ts';

const root = join(import.meta.dirname, '../../..');
const schemas = join(mkdtempSync(join(tmpdir(), 'mainstay-new-')), 'schemas');
copySchemas(schemas);
mkdirSync(join(schemas, 'fms'));
afterAll(() => rmSync(join(schemas, '..'), { recursive: true, force: true }));

const run = (...args: string[]) => schemaNew(args, schemas);

/** As a command, in a process of its own. */
const runAlone = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/schema_new.ts'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, SCHEMAS_DIR: schemas },
    input: '',
  });
  return { status, stdout, stderr };
};

describe('schema:new', { timeout: 60_000 }, () => {
  it('writes a valid master under 20 lines', async () => {
    const { status, text } = await run(
      'fms/lift_make',
      '--title',
      'Lift make',
      '--screen',
      'SCN_FMS_LIFT_MAKE',
      '--product',
      'FMS',
      '--module',
      'FMS',
      '--fields',
      'code,name,country,price:money*,status:enum(open|closed)*,branch_id,maker_ids:refs(employee),remark:long_text',
      '--scope',
      'entity',
    );
    expect(text).toMatch(/lift_make\.json is written/);
    expect(status).toBe(0);
    const written = readFileSync(join(schemas, 'fms/lift_make.json'), 'utf8');
    expect(written.trim().split('\n').length).toBeLessThanOrEqual(24);
    expect(JSON.parse(written)).toEqual({
      $schema: '../meta/screen.schema.json',
      kind: 'master',
      title: 'Lift make',
      access: { screen: 'SCN_FMS_LIFT_MAKE', product: 'FMS', module: 'FMS' },
      scope: 'entity',
      schema: {
        required: ['code', 'name', 'price', 'status'],
        properties: {
          code: { $ref: 'types#code' },
          name: { $ref: 'types#name' },
          country: { $ref: 'types#country' },
          price: { $ref: 'types#money' },
          status: { enum: ['open', 'closed'] },
          branch_id: { $ref: 'types#ref', 'x-ref': 'branch' },
          maker_ids: { $ref: 'types#refs', 'x-ref': 'employee' },
          remark: { $ref: 'types#long_text' },
        },
      },
      unique: [['code'], ['name']],
      grid: ['code', 'name', 'country', 'price', 'status', 'branch_id', 'maker_ids'],
    });
    const { screens, problems } = await loadScreens(schemas);
    expect(problems).toEqual([]);
    expect(screens.get('lift_make')?.routes.landing).toBe('/lift_make');
  });

  it('needs no flags, and is a command', () => {
    expect(runAlone('fms/lift_type')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('at /lift_type') as string,
    });
    expect(runAlone('fms/lift_type')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is there already') as string,
    });
  });

  it('leaves an existing file unchanged', async () => {
    const before = readFileSync(join(schemas, 'organisation/branch.json'), 'utf8');
    expect(await run('organisation/branch')).toMatchObject({
      status: 1,
      text: expect.stringContaining('is there already') as string,
    });
    expect(readFileSync(join(schemas, 'organisation/branch.json'), 'utf8')).toBe(before);
  });

  it('refuses invalid input, and writes nothing', async () => {
    const cases: [string[], RegExp][] = [
      [['fms/branch'], /described twice/],
      [['fms/Uom'], /cannot be a record type's name/],
      [['fms/import'], /taken by the product/],
      [['meta/thing'], /cannot be a folder/],
      [['fms/a', '--fields', 'price:monye'], /no field type "monye".*"money"/],
      [['fms/a', '--fields', 'code,status:enum'], /needs its values/],
      [['fms/a', '--fields', 'code,x:ref(nothing)'], /no record type "nothing"/],
      [['fms/a', '--fields', 'code,!!'], /not a field|cannot be a field/],
      [['fms/a', '--screen', 'thing'], /not a screen code/],
      [['fms/a', '--kind', 'list'], /"list" does not exist/],
      [['fms/a', '--kind', 'report'], /members_by_department\.json/],
      [['fms/a', '--colour', 'red'], /--colour/],
      [['a'], /npm run schema:new/],
    ];
    for (const [args, message] of cases) {
      const { status, text } = await run(...args);
      expect(text).toMatch(message);
      expect(status).toBe(1);
    }
    expect(await run('fms/a', '--print')).toMatchObject({
      status: 0,
      text: expect.stringContaining('"title": "A"') as string,
    });
    expect(() => readFileSync(join(schemas, 'fms/a.json'))).toThrow();
  });
});
