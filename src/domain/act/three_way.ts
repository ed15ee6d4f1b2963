import { membersInOrder } from '../../descriptor/members_in_order.ts';

/** A task field changed by a template, its adopted copy, or both. */
export interface FieldChange {
  task: string;
  field: string;
  /** The value when adopted, the template's current value, and the company's value. */
  base: unknown;
  theirs: unknown;
  ours: unknown;
  /** `theirs`: only the template changed it; `both`: the company did too, differently. */
  changed: 'theirs' | 'both';
}

export interface ThreeWay {
  fields: FieldChange[];
  /** Tasks that are new in the template, by code. */
  added: string[];
  /** Tasks that the template no longer has and the company has. */
  removed: string[];
}

type Task = Readonly<Record<string, unknown>>;
const same = (a: unknown, b: unknown) =>
  JSON.stringify(membersInOrder(a ?? null)) === JSON.stringify(membersInOrder(b ?? null));

/**
 * The effect of a new template version on an adopted checklist: compares the adopted version, the new one and the
 * company's copy, task by task and field by field. Tasks that the company removed stay removed.
 */
export function threeWay(
  base: Readonly<Record<string, Task>>,
  theirs: Readonly<Record<string, Task>>,
  ours: Readonly<Record<string, Task>>,
  names: readonly string[],
): ThreeWay {
  const fields: FieldChange[] = [];
  for (const [task, mine] of Object.entries(ours)) {
    const [was, now] = [base[task], theirs[task]];
    if (!was || !now) continue;
    for (const field of names) {
      if (same(was[field], now[field]) || same(now[field], mine[field])) continue;
      fields.push({
        task,
        field,
        base: was[field] ?? null,
        theirs: now[field] ?? null,
        ours: mine[field] ?? null,
        changed: same(was[field], mine[field]) ? 'theirs' : 'both',
      });
    }
  }
  return {
    fields,
    added: Object.keys(theirs).filter((task) => !base[task] && !ours[task]),
    removed: Object.keys(ours).filter((task) => base[task] && !theirs[task]),
  };
}
