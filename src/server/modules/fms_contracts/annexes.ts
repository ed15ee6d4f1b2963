import { limitMinutes, promisedTimes } from '../../../domain/fms/call_sla.ts';
import type { PromisedTimes } from '../../../domain/fms/call_sla.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

const PRIORITIES = ['p1', 'p2', 'p3', 'p4'] as const;

/** Which part groups are free, shared or charged, by the AMC types of the lines (annexure B of an agreement). */
export function coverOf(unit: Unit, types: readonly number[]): Promise<Row[]> {
  return unit.query(
    `select v.amc_type_mstr_id as amc_type_id, g.id as spare_group_id, v.treatment, v.customer_share, v.yearly_limit_qty
     from {spare_group_master} g join {spare_group_master.cover} v on v.parent_id = g.id
     where g.active and v.amc_type_mstr_id = any($1::bigint[]) order by v.amc_type_mstr_id, g.name`,
    [types],
  );
}

/** Annexure D: the checklists of the visits, and the number of visits after which each is due. */
function checklistsOf(unit: Unit, content: unknown): Promise<Row[]> {
  return unit.query(
    `select r.cycle, r.survey_type_id, r.minutes from {visit_schedule_mstr.content} r where r.parent_id = $1 order by r.cycle, r.id`,
    [content ?? null],
  );
}

/** Annexure E: response and repair times for this customer and building, by kind of call and priority. */
async function responseTimesOf(unit: Unit, customer: unknown, building: unknown): Promise<Row[]> {
  const [place] = await unit.query<{ grade: number | null; factor: string | null; type: number | null }>(
    `select c.customer_grade_id as grade, g.sla_factor::text as factor, (select b.building_type_id from {building} b where b.id = $2) as type
     from {customer_dtl} c left join {customer_grade_mstr} g on g.id = c.customer_grade_id where c.id = $1`,
    [customer, building ?? null],
  );
  const lines = await unit.query<PromisedTimes & { definition: number }>(
    `select d.id as definition, s.priority, s.building_type_id, s.customer_grade_id, s.respond_min, s.restore_min, coalesce(s.round_the_clock, false) as round_the_clock
     from {ticket_definition} d join {ticket_definition.sla} s on s.parent_id = d.id
     where d.active and d.ticket_type in ('breakdown', 'rescue') order by d.ticket_type, d.name, s.id`,
  );
  return [...Map.groupBy(lines, ({ definition }) => definition)].flatMap(([definition, own]) =>
    PRIORITIES.flatMap((priority) => {
      const line = promisedTimes(own, {
        priority,
        building_type_id: place?.type ?? null,
        customer_grade_id: place?.grade ?? null,
      });
      return line === null
        ? []
        : [
            {
              ticket_definition_id: definition,
              priority,
              respond_min: limitMinutes(line.respond_min, place?.factor ?? null),
              restore_min: limitMinutes(line.restore_min, place?.factor ?? null),
              round_the_clock: line.round_the_clock,
            },
          ];
    }),
  );
}

/** The annexures of an agreement as of its approval; later changes of the masters do not affect it. */
export async function annexesOf(unit: Unit, contract: Row, amcTypes: readonly number[]): Promise<Row> {
  return {
    cover_terms: await coverOf(unit, amcTypes),
    checklists: await checklistsOf(unit, contract.visit_schedule_id),
    response_times: await responseTimesOf(unit, contract.customer_id, contract.building_id),
  };
}
