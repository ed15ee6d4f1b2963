import type { Band } from '../../../../domain/sla_clock.ts';
import type { PromisedTimes } from '../../../../domain/fms/call_sla.ts';
import { limitMinutes, promisedTimes } from '../../../../domain/fms/call_sla.ts';
import type { ClockTarget, Target } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;
type ClockName = 'accept' | 'respond' | 'restore';

/** The bands of a clock: one for each line of the definition that sends a notice, with its recipients and time. */
async function escalationsOf(unit: Unit, definition: unknown, clock: ClockName): Promise<Band[]> {
  const rows = await unit.query<{ to: string; percent: number }>(
    `select e."to", e.at_percent as percent from {ticket_definition.escalations} e where e.parent_id = $1 and e.clock = $2 order by e.at_percent, e.id`,
    [definition ?? null, clock],
  );
  return rows.map(({ to, percent }) => ({ name: `${to}_${percent}`, percent, says: 'escalate' }));
}

/** The applicable line of times for a ticket, and the factor of its customer's grade. */
async function timesOf(unit: Unit, record: Row): Promise<{ line: PromisedTimes | null; factor: string | null }> {
  const [place] = await unit.query<{
    building_type_id: number | null;
    customer_grade_id: number | null;
    sla_factor: string | null;
  }>(
    `select b.building_type_id, c.customer_grade_id, g.sla_factor::text
     from {lift} l join {building} b on b.id = l.building_id left join {customer_dtl} c on c.id = b.customer_id
     left join {customer_grade_mstr} g on g.id = c.customer_grade_id where l.id = $1`,
    [record.lift_id ?? null],
  );
  const lines = await unit.query<PromisedTimes>(
    `select priority, building_type_id, customer_grade_id, respond_min, restore_min, coalesce(round_the_clock, false) as round_the_clock
     from {ticket_definition.sla} where parent_id = $1 order by id`,
    [record.ticket_definition_id ?? null],
  );
  const line = promisedTimes(lines, {
    priority: (record.priority ?? 'p3') as PromisedTimes['priority'],
    building_type_id: place?.building_type_id ?? null,
    customer_grade_id: place?.customer_grade_id ?? null,
  });
  return { line, factor: place?.sla_factor ?? null };
}

/** The desk calls the people in the car every 10 minutes (section 4); reminders end after three hours. */
const CALL_EVERY_MIN = 10;
const CALLS_TO_CAR: Band[] = Array.from({ length: 18 }, (_, at) => ({
  name: `rescue_call_${(at + 1) * CALL_EVERY_MIN}`,
  minutes: (at + 1) * CALL_EVERY_MIN,
  says: 'rescue',
}));

function promised(clock: 'respond' | 'restore', minutesOf: (line: PromisedTimes) => number): Target {
  return {
    async run({ unit, record }): Promise<ClockTarget> {
      const { line, factor } = await timesOf(unit, record);
      const bands = await escalationsOf(unit, record.ticket_definition_id, clock);
      const isRescue = record.trapped === true;
      const reminders = isRescue && clock === 'restore' ? CALLS_TO_CAR : [];
      if (!line) return { minutes: null, ...(isRescue && { calendar: 'always' as const }), bands: reminders };
      // Trapped people do not depend on office hours.
      const calendar = line.round_the_clock || isRescue ? 'always' : null;
      const ladder: Band[] =
        isRescue && clock === 'respond' ? [{ name: 'rescue_head', percent: 100, says: 'rescue' }] : reminders;
      return { minutes: limitMinutes(minutesOf(line), factor), calendar, bands: [...bands, ...ladder] };
    },
  };
}

/** The deadline of the arrival on site (C12). */
export const respondMinutes: Target = promised('respond', (line) => line.respond_min);

/** The deadline of the repair (C12). */
export const restoreMinutes: Target = promised('restore', (line) => line.restore_min);

/** Minutes until the next steps of the rescue ladder while nobody has accepted. */
const LADDER_MINUTES = { supervisor: 3, desk: 5 };

/** The deadline of acceptance; for trapped people it counts from the report. */
export const acceptMinutes: Target = {
  async run({ unit, record }): Promise<ClockTarget> {
    const [definition] = await unit.query<{ accept_minutes: number | null }>(
      'select accept_minutes from {ticket_definition} where id = $1',
      [record.ticket_definition_id ?? null],
    );
    const minutes = definition?.accept_minutes ?? null;
    const bands = minutes === null ? [] : await escalationsOf(unit, record.ticket_definition_id, 'accept');
    const ladder: Band[] =
      record.trapped === true
        ? [
            { name: 'rescue_supervisor', minutes: LADDER_MINUTES.supervisor, says: 'rescue' },
            { name: 'rescue_desk', minutes: LADDER_MINUTES.desk, says: 'rescue' },
          ]
        : [];
    return { minutes, calendar: 'always', bands: [...bands, ...ladder] };
  },
};
