import type { Screen } from '../../../descriptor/types.ts';
import { CALENDAR_TYPES } from '../../access/people/working_calendar.ts';
import { functionsUsed } from '../../../descriptor/words/written.ts';
import { memoPerScreen } from '../../db/sql_text.ts';

const PRINTED = ['company', 'branch', 'terms'];

/**
 * The type and all types needed for its labels and counts, so that their tables can be created before the type is used:
 * lists of references have no foreign key that would require their tables.
 */
export function neededTypes(screens: ReadonlyMap<string, Screen>, screen: Screen): string[] {
  // Guards and effects may also add records of the types that they read.
  const read = (screen.workflow?.reads ?? []).flatMap((type) => screens.get(type) ?? []);
  return read.length === 0
    ? neededAlone(screens, screen)
    : [...new Set([screen, ...read].flatMap((one) => neededAlone(screens, one)))];
}

function neededAlone(screens: ReadonlyMap<string, Screen>, screen: Screen): string[] {
  return memoPerScreen(screens, screen, 'needed', () => {
    const referred = screen.fields
      .flatMap((field) => [field, ...(field.rows ?? []), ...(field.rows ?? []).flatMap(({ rows = [] }) => rows)])
      .concat(screen.actions.flatMap(({ params = [] }) => params))
      .flatMap(({ ref, part }) => [...(ref ? [ref.type] : []), ...(part ? [part.type] : [])]);
    // Types with approval are read while a request is open.
    const isOfApprovals = ({ fields }: Screen) => fields.some(({ approvedTypes }) => approvedTypes);
    const approvals =
      screen.approval || isOfApprovals(screen)
        ? // Time limits of approvals are counted in working time.
          [...[...screens.values()].filter(isOfApprovals).map(({ name }) => name), ...CALENDAR_TYPES]
        : [];
    const closing = screen.fields.flatMap(({ periods }) => periods?.closed?.by ?? []);
    const filled = (screen.fills ?? []).flatMap(({ reads = [] }) => reads);
    // The letterheads, and the clauses below them.
    const printed = screen.prints
      ? [...screens.values()].filter(
          ({ serves }) => typeof serves === 'object' && PRINTED.some((kind) => kind in serves),
        )
      : [];
    const made = [...(screen.makes ?? []).map(({ to }) => to), ...(screen.madeOf ?? []).map(({ type }) => type)];
    const counted = (screen.counts ?? []).map(({ count }) => count!.of);
    const viewed = Object.keys(screen.reads ?? {});
    const used = functionsUsed(screen);
    const written = [...screens.values()].filter((one) => one.written?.by.some((name) => used.has(name)));
    const reasons = screen.workflow?.reasons ? [screen.workflow.reasons.type] : [];
    return [
      screen.name,
      ...new Set([
        ...reasons,
        ...viewed,
        ...referred,
        ...counted,
        ...approvals,
        ...made,
        ...filled,
        ...closing,
        ...written.flatMap(({ name, written: { reads = [] } = {} }) => [name, ...reads]),
        ...printed.map(({ name }) => name),
      ]),
    ].filter(
      (type) => screens.has(type) && (screens.get(type)!.scope === 'platform') === (screen.scope === 'platform'),
    );
  });
}
