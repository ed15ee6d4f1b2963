import type { OfficeClass } from '../../../domain/board/offices.ts';
import { officesHeld } from '../../../domain/board/offices.ts';
import type { SeatHolder } from '../../../domain/board/composition.ts';
import { NOT_OF_UNIT, checkComposition } from '../../../domain/board/composition.ts';
import type { VacancyRule } from '../../../domain/board/terms.ts';
import { fillBy, termsInARow } from '../../../domain/board/terms.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Broken, RuleRow, SeatHolderRow, UnitRow } from './board_rows.ts';
import { brokenMeetingRules, nextMeetings } from './meeting_rules.ts';
import { quorumRuleOf, ruleOf, ruleRows, sittingRows, speaksOf, unitRows } from './board_rows.ts';

const CHAIRS: ReadonlySet<string> = new Set(['chairperson', 'committee_chair', 'managing_director']);

/** The head of a unit: its chair, otherwise the managing director who is also chairman. */
export function chairOf<Holder extends Pick<SeatHolder, 'category'>>(sitting: readonly Holder[]): Holder | undefined {
  return (
    sitting.find(({ category }) => category === 'chairperson' || category === 'committee_chair') ??
    sitting.find(({ category }) => CHAIRS.has(category))
  );
}

/** Whether a rule is stricter for an executive or promoter chair, and the chair is one. */
export function isForChair(rule: RuleRow, sitting: readonly SeatHolder[]): boolean {
  if (rule.chair !== 'executive') return true;
  const chair = chairOf(sitting);
  return chair !== undefined && (chair.is_executive || chair.promoter_related);
}

/** The unit rules that these members violate. */
export function brokenRules(
  units: readonly UnitRow[],
  rules: readonly RuleRow[],
  sitting: readonly SeatHolderRow[],
): Broken[] {
  return units.flatMap((unit) => {
    const own = sitting.filter((one) => one.unit_id === unit.id);
    return rules
      .filter((rule) => speaksOf(rule, unit) && !NOT_OF_UNIT.has(rule.check) && isForChair(rule, own))
      .flatMap((rule): Broken[] => {
        const { outcome, needed, have, missing, remedy } = checkComposition(
          ruleOf(rule, unit),
          unit.kind,
          own,
          quorumRuleOf(unit),
        );
        if (outcome === 'ok') return [];
        const { id, severity, source } = rule;
        return [
          {
            unit_id: unit.id,
            rule_id: id,
            seat_id: null,
            board_member_id: null,
            severity,
            source,
            needed,
            have,
            missing,
            remedy,
          },
        ];
      });
  });
}

/** Outside and internal offices of each member of the board. */
async function tooManyOffices(
  unit: Unit,
  units: readonly UnitRow[],
  rules: readonly RuleRow[],
  sitting: readonly SeatHolderRow[],
  day: string,
): Promise<Broken[]> {
  const offices = await unit.query<{ board_member_id: number; class: OfficeClass }>(
    `select o.parent_id as board_member_id, o.class from {board_member.other_offices} o
     where (o.from_date is null or o.from_date <= $1) and (o.to_date is null or o.to_date >= $1)`,
    [day],
  );
  return units.flatMap((one) =>
    rules
      .filter((rule) => rule.check === 'max_offices' && speaksOf(rule, one))
      .flatMap((rule) =>
        sitting
          .filter((person) => person.unit_id === one.id && person.is_director)
          .flatMap((person): Broken[] => {
            const own: OfficeClass = one.company_class === 'private' ? 'private' : 'public';
            const held = officesHeld(
              [
                own,
                ...offices.flatMap(({ board_member_id: id, class: kind }) =>
                  id === person.board_member_id ? [kind] : [],
                ),
              ],
              Number(rule.value ?? 20),
            );
            const over = Math.max(held.over, held.public_over);
            if (over === 0) return [];
            return [
              {
                unit_id: one.id,
                rule_id: rule.id,
                seat_id: null,
                board_member_id: person.board_member_id,
                severity: rule.severity,
                source: rule.source,
                needed: Number(rule.value ?? 20),
                have: held.total,
                missing: over,
                remedy: `${person.name} gives up ${over} ${over === 1 ? 'office' : 'offices'}.`,
              },
            ];
          }),
      ),
  );
}

/** Independent directors who have exceeded the maximum tenure. */
async function tooManyTerms(
  unit: Unit,
  units: readonly UnitRow[],
  rules: readonly RuleRow[],
  sitting: readonly SeatHolderRow[],
  company: number,
): Promise<Broken[]> {
  const judged = rules.filter((rule) => rule.check === 'max_terms');
  const people = sitting.filter(({ category }) => category === 'independent');
  if (judged.length === 0 || people.length === 0) return [];
  const terms = await unit.query<TermRow>(TERMS, [people.map((one) => one.board_member_id), company]);
  return units.flatMap((one) =>
    judged
      .filter((rule) => speaksOf(rule, one))
      .flatMap((rule) =>
        people
          .filter((person) => person.unit_id === one.id)
          .flatMap((person): Broken[] => {
            const own = terms.filter((term) => term.board_member_id === person.board_member_id);
            const now = own.find(({ state }) => state === 'active');
            const count = now ? termsInARow(own, now.from) : 0;
            const most = Number(rule.value ?? 2);
            if (count <= most) return [];
            return [
              {
                unit_id: one.id,
                rule_id: rule.id,
                seat_id: person.seat_id,
                board_member_id: person.board_member_id,
                severity: rule.severity,
                source: rule.source,
                needed: most,
                have: count,
                missing: count - most,
                remedy: `End the term of ${person.name}: three years must pass before the next.`,
              },
            ];
          }),
      ),
  );
}

/** A term of an independent director, with its state. */
export interface TermRow extends Record<string, unknown> {
  id: number;
  board_member_id: number;
  from: string;
  until: string | null;
  state: string;
}

/** Terms of these members as independent directors of a company's board; $1 = their ids, $2 = the company. */
export const TERMS = `select t.id, t.board_member_id, t.from_date::text as "from", coalesce(t.ended_on, t.until_date)::text as until, t.state
  from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_designation} d on d.id = s.designation_id
  join {board_unit} u on u.id = s.unit_id
  where t.board_member_id = any($1) and t.active and t.state in ('active', 'ended') and d.category = 'independent' and u.kind = 'board'
    and s.entity_id = $2`;

/** By when a vacant seat is filled, by the setting: three months where there is none. */
async function vacancyRuleOf(unit: Unit): Promise<VacancyRule> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{board_setting}') is not null as there`);
  const [setting] = known!.there
    ? await unit.query<{ rule: VacancyRule }>(
        "select coalesce(vacancy_rule, 'months') as rule from {board_setting} where active order by id limit 1",
      )
    : [];
  return setting?.rule ?? 'months';
}

/** Seats of independent directors and women that have been vacant longer than allowed. */
async function emptyTooLong(
  unit: Unit,
  units: readonly UnitRow[],
  rules: readonly RuleRow[],
  { company, day }: { company: number; day: string },
): Promise<Broken[]> {
  const judged = rules.filter((rule) => rule.check === 'vacancy_days');
  if (judged.length === 0) return [];
  const next = await nextMeetings(unit, company, day);
  const vacancyRule = await vacancyRuleOf(unit);
  const seats = await unit.query<{ id: number; unit_id: number; number: string; vacant_since: string }>(
    `select id, unit_id, number, vacant_since::text from {board_position}
     where active and holder_id is null and vacant_since is not null and (abolished_on is null or abolished_on > $2)
       and reserved_for && array['independent', 'woman'] and unit_id = any($1)`,
    [units.map(({ id }) => id), day],
  );
  return units.flatMap((one) =>
    judged
      .filter((rule) => speaksOf(rule, one))
      .flatMap((rule) =>
        seats
          .filter((seat) => seat.unit_id === one.id)
          .flatMap((seat): Broken[] => {
            const by = fillBy(seat.vacant_since, next.get(one.id) ?? null, vacancyRule);
            if (by >= day) return [];
            const days = (Date.parse(day) - Date.parse(by)) / 86_400_000;
            return [
              {
                unit_id: one.id,
                rule_id: rule.id,
                seat_id: seat.id,
                board_member_id: null,
                severity: rule.severity,
                source: rule.source,
                needed: Number(rule.value ?? 90),
                have: days + Number(rule.value ?? 90),
                missing: days,
                remedy: `Fill seat ${seat.number}.`,
              },
            ];
          }),
      ),
  );
}

/** All rules that a company violates on a day. */
export async function judgeRules(unit: Unit, company: number, day: string): Promise<Broken[]> {
  const [units, rules, sitting] = [
    await unitRows(unit, company),
    await ruleRows(unit, day),
    await sittingRows(unit, company),
  ];
  return [
    ...brokenRules(units, rules, sitting),
    ...(await tooManyOffices(unit, units, rules, sitting, day)),
    ...(await tooManyTerms(unit, units, rules, sitting, company)),
    ...(await emptyTooLong(unit, units, rules, { company, day })),
    ...(await brokenMeetingRules(unit, units, rules, sitting, day)),
  ];
}
