import type { Field } from '../../../../descriptor/types.ts';
import { isEmpty, sameValue } from '../../form/values.ts';
import type { FieldHost } from '../widget.ts';
import type { Option } from './option_calls.ts';
import { fetchOptions } from './option_calls.ts';

/** The sibling fields: of the row, or of the record. */
export function hostFields(host: FieldHost): Field[] {
  if (host.rows === undefined) return host.screen.fields;
  return host.columns ?? [];
}

/** The values copied from the chosen record, or cleared, in fields that take their values from it. */
export function copied(targets: Field[], option: Option | null): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const { name, ref } of targets) {
    patch[name] = option?.fetch?.[name] ?? null;
    if (ref) patch[`${name}__label`] = option?.fetch?.[`${name}__label`] ?? null;
  }
  return patch;
}

/**
 * Chooses a record for a reference, or none. Dependent fields are updated as on the server, except fields that somebody
 * changed, whose value differs from that of the previously chosen record. Copied references update their own dependent
 * fields in turn: a designation sets its grade, the grade its months of probation.
 */
export function applyChoice(host: FieldHost, field: Field, option: Option | null): Promise<void> {
  const work = follow(host, field, option, host.values()[field.name], 3);
  // A save waits for the copied values.
  const settled = work.finally(() => host.awaited?.delete(settled));
  host.awaited?.add(settled);
  return settled;
}

async function follow(
  host: FieldHost,
  field: Field,
  option: Option | null,
  was: unknown,
  depth: number,
): Promise<void> {
  const id = option?.id ?? null;
  const before = host.values();
  const fields = hostFields(host);
  const targets = fields.filter(({ fetch }) => fetch?.via === field.name);
  const entered = targets.filter(({ name, readOnly }) => !readOnly && !isEmpty(before[name]));
  const patch: Record<string, unknown> = {
    [field.name]: id,
    [`${field.name}__label`]: option?.label ?? null,
    ...copied(
      targets.filter((target) => !entered.includes(target)),
      option,
    ),
  };
  host.setValues(patch);
  const following = entered.filter(({ fetch }) => !fetch!.empty);
  if (following.length > 0 && was !== id) {
    const given = await givenBefore(host, field, was, following);
    if (host.values()[field.name] !== id) return;
    const free = following.filter((target) => sameValue(target, host.values()[target.name], given[target.name]));
    const more = copied(free, option);
    host.setValues(more);
    Object.assign(patch, more);
  }
  if (depth === 0) return;
  for (const next of fields) {
    if (next === field || next.type !== 'ref' || !(next.name in patch)) continue;
    const chosen = patch[next.name];
    const gives = fields.some(({ fetch }) => fetch?.via === next.name);
    if (chosen === null && gives) await follow(host, next, null, before[next.name], depth - 1);
    if (typeof chosen !== 'number' || !(gives || patch[`${next.name}__label`] === null)) continue;
    try {
      const [found] = await fetchOptions(host, next, { ids: [chosen], limit: 1 });
      if (found && host.values()[next.name] === chosen) await follow(host, next, found, before[next.name], depth - 1);
    } catch {
      // The choice itself remains; the person fills in the rest.
    }
  }
}

/** The values copied from the previously chosen record; without one, the initial values. Unknown: nothing. */
async function givenBefore(host: FieldHost, field: Field, was: unknown, of: Field[]): Promise<Record<string, unknown>> {
  if (typeof was !== 'number') return Object.fromEntries(of.map((target) => [target.name, target.default]));
  const found = await fetchOptions(host, field, { ids: [was], limit: 1 }).catch(() => []);
  return found[0]?.fetch ?? {};
}
