import { addingRows } from '../../../descriptor/offline_act.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Values } from '../form/values.ts';
import { changedPayload, recordName, sameRow, wholePayload } from '../form/values.ts';
import { keepAct } from './outbox.ts';
import { byContent } from './waiting_files.ts';

/**
 * Stores a new record on this device, under its key, or a change, each field with its old value. Rows that were only
 * added may become a separate action.
 * @returns false if that is not allowed: secrets are not stored in a browser, and records created from another one need
 * the server
 */
export async function keepWrite(screen: Screen, typed: Values, base: Values, key?: string): Promise<boolean> {
  const isSecret = ({ name, secret }: Field) =>
    secret && (key === undefined ? name in changedPayload(screen, typed, base) : Boolean(typed[name]));
  if (typed._from !== undefined || screen.fields.some(isSecret)) return false;
  const values = await byContent(screen, typed);
  const name = recordName(screen, (key === undefined ? base : typed) as WireRecord) || screen.title;
  if (key !== undefined) {
    const input = wholePayload(screen, values);
    await keepAct({ key, type: screen.name, title: `${name}: added`, do: 'create', input });
    return true;
  }
  const before = await byContent(screen, base);
  const input = Object.fromEntries(
    Object.entries(changedPayload(screen, values, before)).map(([field, value]) => [
      field,
      [before[field] ?? null, value],
    ]),
  );
  const { does = [] } = screen.offline ?? {};
  const added = screen.fields.filter(
    (field) => field.name in input && does.includes(addingRows(field.name)) && onlyAdds(field, typed, base),
  );
  const apart = new Set(added.map((field) => field.name));
  const rest = Object.fromEntries(Object.entries(input).filter(([field]) => !apart.has(field)));
  const isChange = Object.keys(rest).length > 0;
  if (isChange && !does.includes('change')) return false;
  const of = { type: screen.name, id: Number(base.id) };
  if (isChange) await keepAct({ ...of, title: `${name}: changed`, do: 'change', input: rest });
  for (const field of added)
    await keepAct({
      ...of,
      title: `${name}: ${field.title} added`,
      do: addingRows(field.name),
      input: { [field.name]: input[field.name] },
    });
  return true;
}

/** Whether all rows are unchanged, with others added. */
function onlyAdds(field: Field, typed: Values, base: Values): boolean {
  const rows = (of: Values) => (Array.isArray(of[field.name]) ? (of[field.name] as Values[]) : []);
  const left = [...rows(typed)];
  return rows(base).every((row) => {
    const at = left.findIndex((one) => one.id === row.id && sameRow(field.rows!, one, row));
    return at >= 0 && left.splice(at, 1).length > 0;
  });
}

/** Stores a transition on this device, with its answers. */
export async function keepStep(
  screen: Screen,
  step: { name: string; title: string },
  record: WireRecord,
  asked: Values = {},
): Promise<void> {
  const title = `${recordName(screen, record) || screen.title}: ${step.title}`;
  const input = await byContent(screen, asked);
  await keepAct({ type: screen.name, id: record.id, title, do: step.name, input });
}

/**
 * Stores a transition of a record that is itself created by an action of this device: `clientId` is the key of that
 * action.
 */
export async function keepStepOfNew(
  screen: Screen,
  step: { name: string; title: string },
  clientId: string,
): Promise<void> {
  await keepAct({ type: screen.name, clientId, title: `${screen.title}: ${step.title}`, do: step.name, input: {} });
}
