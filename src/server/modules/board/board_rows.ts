import type { SeatHolder } from '../../../domain/board/composition.ts';
import { runsOn } from './terms_on_day.ts';

/** Runs statements: a unit of work, or the reader of a report. */
export interface Reads {
  query<Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Somebody who holds a seat in a unit, with the unit and the seat. */
export interface SeatHolderRow extends SeatHolder, Record<string, unknown> {
  unit_id: number;
  seat_id: number;
  board_member_id: number;
}

/**
 * Who holds which seat in a company, today or on a day. Holders of an independent director's seat on the board are
 * independent in its committees too.
 */
export function sittingRows(unit: Reads, company: number, day: string | null = null): Promise<SeatHolderRow[]> {
  const holds = (term: string) => runsOn(term, day === null ? null : '$2');
  return unit.query<SeatHolderRow>(
    `select s.unit_id, s.id as seat_id, t.board_member_id, m.name, d.category, d.is_director, d.votes, d.counts_for_quorum, m.gender,
       d.is_executive or exists (select 1 from {board_tenure} o join {board_position} p on p.id = o.seat_id
         join {board_unit} u on u.id = p.unit_id join {board_designation} i on i.id = p.designation_id
         where o.board_member_id = t.board_member_id and ${holds('o')} and o.active and p.entity_id = s.entity_id
           and u.kind = 'board' and i.is_director and i.is_executive) as is_executive,
       coalesce(m.promoter_related, false) as promoter_related, m.days_in_india,
       exists (select 1 from {board_tenure} o join {board_position} p on p.id = o.seat_id join {board_unit} u on u.id = p.unit_id
         join {board_designation} i on i.id = p.designation_id
         where o.board_member_id = t.board_member_id and ${holds('o')} and o.active and p.entity_id = s.entity_id
           and u.kind = 'board' and i.category = 'independent') as independent
     from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_designation} d on d.id = s.designation_id
     join {board_member} m on m.id = t.board_member_id
     where ${holds('t')} and t.active and s.active and s.entity_id = $1
     order by s.unit_id, d.order_no, m.name`,
    day === null ? [company] : [company, day],
  );
}

/** A unit in office, with the kind and class of its type. */
export interface UnitRow extends Record<string, unknown> {
  id: number;
  name: string;
  kind: string;
  board_type_id: number;
  company_class: string;
  secretary_id: number | null;
  /** Share of the members who must be present; null = by the rule. */
  quorum_fraction: string | null;
  quorum_min: number;
  meetings_per_year: number | null;
  min_members: number | null;
  max_members: number | null;
}

/** The units of a company that are in office. */
export function unitRows(unit: Reads, company: number): Promise<UnitRow[]> {
  return unit.query<UnitRow>(
    `select u.id, u.name, t.kind, u.board_type_id, t.company_class, u.secretary_id,
       t.quorum_fraction::text, coalesce(u.quorum_min, t.quorum_min, 2) as quorum_min,
       coalesce(u.meetings_per_year, t.meetings_per_year) as meetings_per_year,
       coalesce(u.min_members, t.min_members) as min_members, coalesce(u.max_members, t.max_members) as max_members
     from {board_unit} u join {board_type} t on t.id = u.board_type_id
     where u.active and u.state = 'constituted' and u.entity_id = $1 order by u.id`,
    [company],
  );
}

/** The quorum of a unit: the share and least number of its type, or its own. */
export const quorumRuleOf = (unit: Pick<UnitRow, 'quorum_fraction' | 'quorum_min'>) => ({
  fraction: unit.quorum_fraction ?? '0.3333',
  least: unit.quorum_min,
});

/** A rule that is in force. */
export interface RuleRow extends Record<string, unknown> {
  id: number;
  board_type_id: number;
  company_class: string;
  check: string;
  category: string | null;
  value: string | null;
  chair: string;
  severity: string;
  source: string;
}

/** The rules in force on a day. */
export function ruleRows(unit: Reads, day: string): Promise<RuleRow[]> {
  return unit.query<RuleRow>(
    `select id, board_type_id, company_class, "check", category, value::text, coalesce(chair, 'any') as chair, severity, source
     from {board_rule} where active and valid_from <= $1 and (valid_to is null or valid_to >= $1) order by id`,
    [day],
  );
}

/** Whether a rule applies to a unit: by the unit's type and the company's class. */
export function speaksOf(rule: RuleRow, unit: UnitRow): boolean {
  return (
    rule.board_type_id === unit.board_type_id &&
    (rule.company_class === 'any' || unit.company_class === 'any' || rule.company_class === unit.company_class)
  );
}

/** A violated rule, with the record that it concerns. */
export interface Broken {
  unit_id: number;
  rule_id: number;
  seat_id: number | null;
  board_member_id: number | null;
  severity: string;
  source: string;
  needed: number | null;
  have: number | null;
  missing: number;
  remedy: string;
}

/** A rule as it applies to a unit: the unit's own number of members counts where it is stricter. */
export function ruleOf(rule: RuleRow, unit: Pick<UnitRow, 'min_members' | 'max_members'>): RuleRow {
  const value = rule.value === null ? null : Number(rule.value);
  if (rule.check === 'min_members' && unit.min_members !== null)
    return { ...rule, value: String(Math.max(value ?? 1, unit.min_members)) };
  if (rule.check === 'max_members' && unit.max_members !== null)
    return { ...rule, value: String(value === null ? unit.max_members : Math.min(value, unit.max_members)) };
  return rule;
}
