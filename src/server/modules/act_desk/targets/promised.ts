import type { Band } from '../../../../domain/sla_clock.ts';
import type { ClockTarget, Target } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

interface Line {
  response_minutes: number;
  resolution_minutes: number;
  round_the_clock: boolean;
  calendar_id: number | null;
}

async function lineOf(unit: Unit, { slab_id: slab, priority }: Row): Promise<Line | null> {
  const [line] = await unit.query<Line>(
    `select t.response_minutes, t.resolution_minutes, coalesce(t.round_the_clock, false) as round_the_clock, s.calendar_id
     from {slab} s join {slab.targets} t on t.parent_id = s.id where s.id = $1 and t.priority = $2`,
    [slab ?? null, priority ?? null],
  );
  return line ?? null;
}

const target = (line: Line, minutes: number, bands: Band[]): ClockTarget => ({
  minutes,
  calendar: line.round_the_clock ? 'always' : line.calendar_id,
  bands,
});

const BREACH: Band = { name: 'breach', percent: 100 };

/** The target of the first response, in minutes. */
export const responseMinutes: Target = {
  async run({ unit, record }) {
    const line = await lineOf(unit, record);
    return line ? target(line, line.response_minutes, [BREACH]) : { minutes: null, bands: [] };
  },
};

/** The target of the solution in minutes; each later band of the slab is an event of the clock. */
export const resolutionMinutes: Target = {
  async run({ unit, record }) {
    const line = await lineOf(unit, record);
    if (!line) return { minutes: null, bands: [] };
    const bands = await unit.query<{ id: number; from: string; basis: string }>(
      `select b.id, b.from_value::text as "from", s.basis from {slab} s join {slab.bands} b on b.parent_id = s.id where s.id = $1 and b.from_value > 0 order by b.from_value`,
      [record.slab_id ?? null],
    );
    const moments = bands.map(({ id, from, basis }): Band => ({
      name: `band_${id}`,
      says: 'band',
      ...(basis === 'business_minutes' ? { minutes: Number(from) } : { percent: Number(from) }),
    }));
    return target(line, line.resolution_minutes, [BREACH, ...moments]);
  },
};
