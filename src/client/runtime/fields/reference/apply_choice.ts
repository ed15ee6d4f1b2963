import type { Field } from '../../../../descriptor/types.ts';
import type { FieldHost } from '../widget.ts';
import type { Option } from './option_calls.ts';
import { fetchOptions } from './option_calls.ts';

/** The fields beside this one: of the row, or of the record. */
export function hostFields(host: FieldHost): Field[] {
  if (host.rows === undefined) return host.screen.fields;
  return host.screen.fields.find((field) => field.name === host.rows)?.rows ?? [];
}

/** What a choice writes into the form: the label beside the id, and the values that other fields take from it. */
export function choicePatch(host: FieldHost, field: Field, option: Option): Record<string, unknown> {
  const patch: Record<string, unknown> = { [field.name]: option.id, [`${field.name}__label`]: option.label };
  for (const target of hostFields(host)) {
    if (target.fetch?.via !== field.name) continue;
    patch[target.name] = option.fetch?.[target.name] ?? null;
    if (target.ref) patch[`${target.name}__label`] = option.fetch?.[`${target.name}__label`] ?? null;
  }
  return patch;
}

/**
 * Chooses a record for a reference. References that came along bring along what hangs on them in turn:
 * a designation brings its grade, the grade its months of probation.
 */
export async function applyChoice(host: FieldHost, field: Field, option: Option, depth = 3): Promise<void> {
  const patch = choicePatch(host, field, option);
  host.setValues(patch);
  if (depth === 0) return;
  const fields = hostFields(host);
  for (const next of fields) {
    const id = patch[next.name];
    if (next === field || next.type !== 'ref' || typeof id !== 'number') continue;
    const wanted = fields.some(({ fetch }) => fetch?.via === next.name) || patch[`${next.name}__label`] === null;
    if (!wanted) continue;
    try {
      const [found] = await fetchOptions(host, next, { ids: [id], limit: 1 });
      if (found && host.values()[next.name] === id) await applyChoice(host, next, found, depth - 1);
    } catch {
      // The choice itself stands; the person fills in the rest.
    }
  }
}
