import { humanise } from './humanise.ts';
import type { FilterExpression, JsonSchema, PageType } from './types.ts';
import type { Auto, DueUnit, EditRule, GuardUse, NamedUse, State, StateKind, Transition } from './workflow.ts';
import { COPIED_FROM, IS_CURRENT } from './workflow.ts';

type WrittenUse = Record<string, Record<string, unknown> | string>;
type WrittenGuard = { assert: string; message: string; field?: string } | WrittenUse;

interface WrittenState {
  title?: string;
  colour?: State['colour'];
  is?: StateKind;
  aside?: true;
  edit?: boolean | string[] | Record<string, string[]>;
}

type WrittenAuto =
  | { made?: string; unmade?: string; when?: string }
  | { by: string; at?: string }
  | { date: string; after?: number | string; unit?: DueUnit; when?: string }
  | { event: string; record?: string | { of: string; filter?: FilterExpression } };

interface WrittenTransition {
  from: string[] | string;
  to?: string;
  title?: string;
  icon?: string;
  when?: string;
  right?: { page?: PageType; action?: string };
  who?: string[];
  decides?: string[];
  guard?: WrittenGuard[];
  ask?: string[];
  set?: Record<string, string>;
  refill?: string[];
  effects?: WrittenUse[];
  confirm?: string;
  done?: string;
  reason?: boolean | string;
  bulk?: 'each' | 'all';
  auto?: WrittenAuto | WrittenAuto[];
  undo?: string[];
  locks?: string[];
  amend?: { revision: string; supersede?: string; set?: Record<string, string> };
}

export interface WrittenWorkflow {
  field?: string;
  title?: string;
  amount?: string;
  import?: Record<string, string | string[]>;
  states: Record<string, WrittenState>;
  transitions: Record<string, WrittenTransition>;
  insert?: { guard?: WrittenGuard[]; effects?: WrittenUse[] };
  late?: { in: string[]; who: string[]; effects: WrittenUse[]; says: string };
  reads?: string[];
}

export const colourOf = ({ colour, is }: WrittenState): State['colour'] =>
  colour ?? (is === 'closed' ? 'success' : is === 'cancelled' ? 'danger' : 'neutral');

export function editOf(written: WrittenState['edit'], isFirst: boolean): EditRule {
  if (written === undefined) return isFirst;
  return Array.isArray(written) ? { '*': written } : written;
}

export const namedUse = (written: WrittenUse): NamedUse => {
  const [name, args] = Object.entries(written)[0]!;
  return { name, args: typeof args === 'string' ? { make: args } : args };
};

function autoOf(written: WrittenAuto): Auto {
  if ('date' in written) {
    const { date: field, after = 0, unit = 'days', when } = written;
    return { date: { field, after, unit, ...(when !== undefined && { when }) } };
  }
  if (!('event' in written)) return written;
  const { event: name, record = 'id' } = written;
  return { event: { name, record: typeof record === 'string' ? { path: record.split('.') } : record } };
}

export const guardOf = (written: WrittenGuard): GuardUse =>
  'assert' in written ? (written as GuardUse) : namedUse(written as WrittenUse);

/** The name of a use of reasons, as opposed to a question. */
const isUse = (reason: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(reason);

/** The additional fields of a type with revisions. */
export function revisionFields(written: WrittenWorkflow, type: string): Record<string, JsonSchema> {
  const amends = Object.values(written.transitions).flatMap(({ amend }) => amend ?? []);
  if (amends.length === 0) return {};
  return {
    [amends[0]!.revision]: { type: 'integer', title: 'Revision', minimum: 0, default: 0, readOnly: true },
    [COPIED_FROM]: { type: 'integer', 'x-ref': type, title: 'Revision of', readOnly: true },
    [IS_CURRENT]: { type: 'boolean', title: 'Current revision', default: true, readOnly: true },
  };
}

export function transitionOf(name: string, written: WrittenTransition, open: string[]): Transition {
  const { from, to, title, guard = [], ask = [], set = {}, effects = [], reason, amend, auto, ...rest } = written;
  return {
    name,
    title: title ?? humanise(name),
    ...rest,
    from: from === 'open' ? open : [from].flat(),
    to: to ?? null,
    guard: guard.map(guardOf),
    ask: ask.map((one) => ({ field: one.replace(/!$/, ''), required: one.endsWith('!') })),
    set,
    effects: effects.map(namedUse),
    ...(auto !== undefined && { auto: [auto].flat().map(autoOf) }),
    ...(typeof reason === 'string' && isUse(reason)
      ? { reason: 'Reason', reasonUse: reason }
      : reason !== undefined && reason !== false && { reason: reason === true ? 'Reason' : reason }),
    ...(amend && { amend: { ...amend, set: amend.set ?? {} } }),
  };
}
