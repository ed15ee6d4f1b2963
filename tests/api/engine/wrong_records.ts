import { expect } from 'vitest';
import type { Field, Screen } from '../../../src/descriptor/types.ts';
import type { Caller } from '../world.ts';

type Row = Record<string, unknown>;

/** Values that hardly any field takes: wrong kinds, texts too long, numbers and days that there are none of. */
const WRONG: readonly unknown[] = [
  null,
  {},
  [null],
  'rubbish'.repeat(100),
  -1e30,
  2 ** 53,
  'NaN',
  '2026-02-31',
  true,
  '\ud800',
  { id: 1 },
  { add: 1, set: { '-1': null, x: {} }, remove: {} },
];

/** One value wrong at a time in what is right: in a field of the record, in a column of its rows, as all of its rows. */
function wrongInputs(fields: readonly Field[], right: Row): Row[] {
  return fields.flatMap((field): Row[] => {
    const whole = WRONG.map((value) => ({ ...right, [field.name]: value }));
    const rows = Array.isArray(right[field.name]) ? (right[field.name] as Row[]) : [];
    const columns = rows.length === 0 ? [] : ['id', ...(field.rows ?? []).map(({ name }) => name)];
    const within = columns.flatMap((column) =>
      WRONG.map((value) => ({ ...right, [field.name]: [{ ...rows[0], [column]: value }, ...rows.slice(1)] })),
    );
    return [...whole, ...within];
  });
}

/**
 * Sends wrong records, changes, steps and choices to a type, over every call that takes a record.
 * @returns how many were sent, and those that the server answered as its own fault
 */
export async function sendWrong(
  by: Caller,
  screen: Screen,
  right: Row,
  stored: () => Promise<Row & { id: number; version: number }>,
): Promise<{ sent: number; refused: number; faults: string[] }> {
  const answers = { sent: 0, refused: 0, faults: [] as string[] };
  const type = `/tapi/${screen.name}`;
  const send = async (method: string, url: string, body: unknown) => {
    const { statusCode, body: text } = await by.call(method, url, body);
    answers.sent++;
    if (statusCode >= 400) answers.refused++;
    if (statusCode >= 500)
      answers.faults.push(
        `${statusCode} ${method} ${url} ${JSON.stringify(body).slice(0, 300)}: ${text.slice(0, 200)}`,
      );
  };
  const { id } = await stored();
  for (const input of wrongInputs(screen.fields, right)) {
    await send('POST', type, input);
  }
  for (const { name } of screen.fields)
    for (const value of WRONG) {
      await send('POST', `${type}/check`, { values: { ...right, [name]: value } });
      await send('PUT', `${type}/bulk`, { ids: [id], set: { [name]: value } });
      await send('PUT', `${type}/${id}`, { version: (await stored()).version, [name]: value });
    }
  for (const value of WRONG) {
    await send('PUT', `${type}/${id}`, { version: value });
    await send('PUT', `${type}/bulk`, { ids: value, set: {} });
    await send('POST', `${type}/bulk_delete`, { ids: [value], mode: value });
    for (const { name, ask = [] } of screen.workflow?.transitions ?? []) {
      await send('POST', `${type}/${id}/${name}?preview=1`, { version: value });
      await send('POST', `${type}/${id}/${name}?preview=1`, { reason: value, remark: value });
      await send('POST', `${type}/bulk/${name}`, { ids: [value], reason: value });
      for (const { field } of ask) await send('POST', `${type}/${id}/${name}?preview=1`, { [field]: value });
    }
    for (const { name } of screen.makes ?? [])
      await send('POST', type, { _from: { type: screen.name, id: value, make: name } });
  }
  expect(answers.sent).toBeGreaterThan(100);
  return answers;
}
