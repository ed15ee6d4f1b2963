import { expect } from 'vitest';
import { upload } from './multipart.ts';
import type { Caller, World } from './world.ts';

/**
 * Checks a file of records, under the titles of their fields. @returns the import, the messages of its errors, and the
 * records that it names and that do not exist
 */
export async function checkRecords(
  world: World,
  by: Caller,
  type: string,
  records: readonly Record<string, string>[],
  mode: 'all_or_nothing' | 'good_rows' = 'all_or_nothing',
): Promise<{ id: number; errors: string[]; unknown: object[] }> {
  const fields = Object.keys(records[0]!);
  const title = (name: string) => world.screens.get(type)!.fields.find((field) => field.name === name)!.title;
  const lines = [fields.map(title), ...records.map((record) => fields.map((name) => record[name]!))];
  const { payload, headers } = upload('records.csv', `${lines.map((line) => line.join(',')).join('\n')}\n`);
  const begun = await by.call('POST', `/tapi/${type}/import?mode=${mode}`, payload, headers);
  expect(begun.statusCode, begun.body).toBe(202);
  const { id } = begun.json<{ data: { id: number } }>().data;
  const run = () => runOf(by, id);
  await expect.poll(async () => (await run()).state, { timeout: 60_000 }).toBe('checked');
  const { errors } = await run();
  return {
    id,
    errors: errors.map(({ message }) => message),
    unknown: errors.flatMap(({ unknown: one }) => one ?? []),
  };
}

const runOf = async (by: Caller, id: number) =>
  (await by.call('GET', `/tapi/import/${id}`)).json<{
    data: { state: string; errors: { message: string; unknown?: object }[] };
  }>().data;

/** Imports records under the titles of their fields; `validOnly`: those without errors, the errors being these. */
export async function importRecords(
  world: World,
  by: Caller,
  type: string,
  records: readonly Record<string, string>[],
  { validOnly }: { validOnly?: string[] } = {},
): Promise<void> {
  const { id, errors } = await checkRecords(world, by, type, records, validOnly ? 'good_rows' : 'all_or_nothing');
  expect(errors).toEqual(validOnly ?? []);
  expect((await by.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(202);
  await expect.poll(async () => (await runOf(by, id)).state, { timeout: 60_000 }).toBe('imported');
}
