import type { LinkedRecords } from '../../../descriptor/makes.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { withMaskedNumber } from '../numbers/number_at.ts';
import { lockRecords } from '../records/locks.ts';
import { readRecord } from '../records/read.ts';
import type { SightCalls } from '../records/sight_engine.ts';
import type { Unit } from '../records/unit.ts';
import type { UnitOfWork } from '../records/unit_of_work.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { cannotMake, linkedRecords, sourceOf } from './links.ts';
import { missingOf } from './make_each.ts';
import { prefill } from './prefill.ts';

type Row = Record<string, unknown>;

/** One record made from another. */
export interface MakeCalls extends Pick<SightCalls, 'begin' | 'makes' | 'makeEach'> {
  /**
   * The missing records of a make with `each`, as values of new records, and the number of the remaining ones. @throws
   * AppError 403, 404, 409
   */
  beginEach(session: Session, screen: Screen, id: number, name: string): Promise<{ values: Row[]; left: number }>;
  /** The records from which one was created and those created from it, as far as this person sees them. */
  links(session: Session, screen: Screen, id: number): Promise<LinkedRecords>;
}

interface MakeDeps {
  screens(session: Session): Map<string, Screen>;
  unit(unit: UnitOfWork): Unit;
  act: SightCalls['act'];
}

export function makeCalls({ screens, unit: unitFor, act }: MakeDeps): MakeCalls {
  const calls: MakeCalls = {
    async begin(session, target, from) {
      const known = screens(session);
      const { screen, make, source } = await sourceOf(session, known, target, from);
      const values = await prefill({ session, screen, screens: known, record: source }, make, target, source);
      if (make.run === undefined) return values;
      const { _from, ...typed } = values;
      const form = { on: 'record', params: {}, id: null, version: null, values: typed, rows: [], ids: [] };
      const madeFrom = { type: screen.name, id: Number(source.id) };
      const { set } = await act(session, target, { ...form, run: make.run, madeFrom });
      return { ...values, ...set };
    },
    async beginEach(session, screen, id, name) {
      const known = screens(session);
      const make = screen.makes?.find((one) => one.name === name && one.each !== undefined);
      const target = make && known.get(make.to);
      if (!make || !target) throw notFound();
      authorize(session, target, 'add_screen', target.access.action);
      await lockRecords(session, [{ type: screen.name, id }]);
      const source = await readRecord(session, screen, known, id);
      const why = await cannotMake(session, known, screen, source, make);
      if (why !== null) throw new AppError(409, 'bad_state', why);
      return missingOf({ session, screen, screens: known, record: source }, make, target, source);
    },
    makeEach: (actor, screen, id, name, { preview = false } = {}) =>
      inUnit(
        actor,
        async (unit) => {
          const known = screens(actor);
          const { values, left } = await calls.beginEach(unit.session, screen, id, name);
          const target = known.get(screen.makes!.find((one) => one.name === name)!.to)!;
          const made: WireRecord[] = [];
          for (const one of values) {
            const record = await unitFor(unit).create(target.name, one);
            made.push(preview ? await withMaskedNumber(unit.session, target, known, record) : record);
          }
          return { made, left };
        },
        { preview },
      ),
    async makes(session, screen, stored) {
      const known = screens(session);
      const offered: OfferedStep[] = [];
      for (const make of screen.makes ?? []) {
        const target = known.get(make.to);
        if (!target || session.rights.refuse(target, 'add_screen') || session.rights.refuseAction(target.access.action))
          continue;
        if ((await cannotMake(session, known, screen, stored, make)) === null)
          offered.push({ name: make.name, blocked: null });
      }
      return offered;
    },
    async links(session, screen, id) {
      await readRecord(session, screen, screens(session), id);
      return linkedRecords(session, screens(session), screen, id);
    },
  };
  return calls;
}
