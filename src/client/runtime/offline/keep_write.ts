import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Values } from '../form/values.ts';
import { changedPayload, recordName, wholePayload } from '../form/values.ts';
import { keepAct } from './outbox.ts';
import { byContent } from './waiting_files.ts';

/**
 * Keeps a new record on this device, by the key that names it, or a change, each field with the value that it had.
 * @returns false where that may not wait: what is secret is not kept in a browser, and what is made of another record
 * is made there
 */
export async function keepWrite(screen: Screen, typed: Values, base: Values, key?: string): Promise<boolean> {
  const isSecret = ({ name, secret }: Field) =>
    secret && (key === undefined ? name in changedPayload(screen, typed, base) : Boolean(typed[name]));
  if (key === undefined && !screen.offline?.does.includes('change')) return false;
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
  await keepAct({ type: screen.name, id: Number(base.id), title: `${name}: changed`, do: 'change', input });
  return true;
}

/** Keeps a step on this device, with what it asked. */
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
