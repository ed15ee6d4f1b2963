import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: ['expertise_level', 'media_item'] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

async function refusal(method: string, url: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await admin.call(method, url, body, headers);
  const { error } = answer.json<{ error: { field: string | null; message: string; details: { field: string }[] } }>();
  return { status: answer.statusCode, field: error.field, message: error.message };
}
const filter = (condition: unknown) => `/tapi/entity?filter=${encodeURIComponent(JSON.stringify(condition))}`;

describe('invalid input is refused with its position', () => {
  it('a value that its column does not accept, whichever check sees it first', async () => {
    for (const [type, body, field] of [
      ['employee', { branch_id: 'x' }, 'branch_id'],
      ['employee', { branch_id: 1e18 }, 'branch_id'],
      ['employee', { branch_id: ['1'] }, 'branch_id'],
      ['employee', { first_name: {} }, 'first_name'],
      ['employee', { skills: 'x' }, 'skills'],
      ['employee', { skills: [{ competency_id: 'x', level: 1 }] }, 'skills.0.competency_id'],
      ['employee', { dob: '2025-02-30' }, 'dob'],
      ['expertise_level', { cost_per_hour: 9_223_372_036_854_775_808 }, 'cost_per_hour'],
      ['employee_field_setting', { default_value: { x: 1 } }, 'default_value'],
      ['employee_field_setting', { choices: [{}] }, 'choices'],
      ['media_item', { tags: [{}] }, 'tags'],
      ['media_item', { tags: [['x']] }, 'tags'],
    ] as const) {
      const answer = await admin.call('POST', `/tapi/${type}`, body);
      const { details } = answer.json<{ error: { details: { field: string; message: string }[] } }>().error;
      expect([answer.statusCode, details.map((one) => one.field)]).toEqual([422, expect.arrayContaining([field])]);
    }
  });

  it('the character 0 and half characters, in a body, a query and a path', async () => {
    expect(await refusal('POST', '/tapi/segment', { code: 'A', name: 'a\0b' })).toMatchObject({
      status: 400,
      field: 'name',
    });
    expect(await refusal('POST', '/tapi/segment', { code: 'A', name: 'a\ud800' })).toMatchObject({
      status: 400,
      field: 'name',
    });
    expect(await refusal('POST', '/tapi/segment', { body: { name: 'a\0b' } })).toMatchObject({ field: 'body.name' });
    expect(await refusal('GET', '/tapi/segment?q=%00')).toMatchObject({ status: 400, field: 'q' });
    expect(await refusal('GET', '/tapi/segment/export.xlsx?q=%00')).toMatchObject({ status: 400, field: 'q' });
    expect(await refusal('GET', '/articles/%00')).toMatchObject({ status: 400, field: 'slug' });
    expect(await refusal('POST', '/api/sessions/login', { email: 'x\0', password: 'y' })).toMatchObject({
      status: 400,
      field: 'email',
    });
  });

  it('a malformed address', async () => {
    expect(await refusal('GET', '/tapi/segment/%')).toMatchObject({ status: 400, field: 'path' });
    expect(await refusal('GET', '/tapi/segment/%E0%A4%A')).toMatchObject({ status: 400, field: 'path' });
    expect(await refusal('PUT', `/tapi/segment/${'1'.repeat(2_000)}`, {})).toMatchObject({
      status: 414,
      field: 'path',
    });
    expect(await refusal('GET', '/tapi/segment?size=1&size=2')).toMatchObject({ status: 400, field: 'size' });
  });

  it('a body that is malformed, or nested without end', async () => {
    const json = { 'content-type': 'application/json' };
    const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const body of ['[]', 'null', '1', '"x"', deep(5_000)])
      expect(await refusal('POST', '/tapi/segment', body, json), body.slice(0, 20)).toMatchObject({ status: 400 });
    expect(await refusal('POST', '/tapi/segment', '{"version":1e999}', json)).toMatchObject({
      status: 400,
      field: 'version',
    });
    expect(await refusal('PUT', '/tapi/entity/1', { version: '9223372036854775808' })).toMatchObject({
      status: 400,
      field: 'version',
    });
  });

  it('filters and positions in a list that do not fit their columns', async () => {
    for (const condition of [
      ['fy_start_month', 'eq', 2_147_483_648],
      ['created_at', 'eq', '2025-01-01T00:00:00+99:99'],
      ['created_at', 'between', ['2025-01-01T25:00:00Z', null]],
      ['created_by', 'eq', 1e21],
      ['name', 'contains', '\ud800'],
    ])
      expect(await refusal('GET', filter(condition)), JSON.stringify(condition)).toMatchObject({
        status: 400,
        field: 'filter',
      });
    const after = Buffer.from(JSON.stringify(['2025-02-30', 1])).toString('base64url');
    expect(await refusal('GET', `/tapi/entity?sort=created_at&after=${after}`)).toMatchObject({
      status: 400,
      field: 'after',
    });
  });
});
