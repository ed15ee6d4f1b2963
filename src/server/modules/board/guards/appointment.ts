import { formatDate } from '../../../../descriptor/format.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import { freeAgain, termsInARow } from '../../../../domain/board/terms.ts';
import type { Guard } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { SeatHolderRow } from '../board_rows.ts';
import { ruleRows, sittingRows, unitRows } from '../board_rows.ts';
import type { TermRow } from '../judge_rules.ts';
import { TERMS, brokenRules } from '../judge_rules.ts';

interface Person extends Record<string, unknown> {
  name: string;
  gender: string;
  person_kind: string;
  promoter_related: boolean;
  days_in_india: number | null;
  din: string | null;
}

interface Seat extends Record<string, unknown> {
  id: number;
  unit_id: number;
  entity_id: number;
  unit: string;
  kind: string;
  category: string;
  is_director: boolean;
  is_executive: boolean;
  votes: boolean;
  counts_for_quorum: boolean;
  abolished_on: string | null;
}

const SEAT = `select s.id, s.unit_id, s.entity_id, u.name as unit, u.kind, d.category, d.is_director, d.is_executive, d.votes, d.counts_for_quorum,
  s.abolished_on::text from {board_position} s join {board_unit} u on u.id = s.unit_id
  join {board_designation} d on d.id = s.designation_id where s.id = $1`;

const PERSON = `select name, gender, person_kind, coalesce(promoter_related, false) as promoter_related, days_in_india, din
  from {board_member} where id = $1`;

/** Refuses people who may not hold the seat whoever approves it, and names the rule and its source. */
export const maySit: Guard = {
  elevated: true,
  async check({ unit: asked, record }) {
    const unit = asked.elevated();
    const [seat] = await unit.query<Seat>(SEAT, [record.seat_id]);
    const [person] = await unit.query<Person>(PERSON, [record.board_member_id]);
    if (!seat || !person) return [];
    const from = String(record.from_date);
    const wrong = (message: string): FieldError => ({ field: 'board_member_id', message });
    const errors: FieldError[] = [];
    if (seat.abolished_on !== null && seat.abolished_on <= from)
      errors.push({ field: 'from_date', message: `The seat ends on ${formatDate(seat.abolished_on)}.` });
    if (seat.is_director && person.din === null)
      errors.push(wrong(`${person.name} has no DIN. Enter it first (s. 152(3)).`));
    const [other] = await unit.query<{ number: string }>(
      `select s.number from {board_tenure} t join {board_position} s on s.id = t.seat_id
       where t.board_member_id = $1 and s.unit_id = $2 and t.state = 'active' and t.active and s.id <> $3`,
      [record.board_member_id, seat.unit_id, seat.id],
    );
    if (other) errors.push(wrong(`${person.name} already sits in ${seat.unit}, on seat ${other.number}.`));
    if (seat.kind === 'board' && seat.category === 'independent') {
      if (person.person_kind === 'employee')
        errors.push(wrong(`${person.name} is employed here and cannot be independent (s. 149(6)).`));
      if (person.promoter_related)
        errors.push(wrong(`${person.name} is related to the promoters and cannot be independent (s. 149(6)).`));
      const terms = await unit.query<TermRow>(TERMS, [[record.board_member_id], seat.entity_id]);
      if (termsInARow(terms, from) > 2) {
        const last = terms.reduce((latest, { until }) => (until !== null && until > latest ? until : latest), '');
        const free = last === '' ? '' : ` Free again from ${formatDate(freeAgain(last))}.`;
        errors.push(wrong(`${person.name} has had two terms in a row (s. 149(11)).${free}`));
      }
    }
    return errors;
  },
};

/** The appointment must not violate a rule of the unit; violations that existed before do not block it. */
export const rulesHold: Guard = {
  elevated: true,
  async check({ unit: asked, record }) {
    const unit = asked.elevated();
    const [seat] = await unit.query<Seat>(SEAT, [record.seat_id]);
    const [person] = await unit.query<Person>(PERSON, [record.board_member_id]);
    if (!seat || !person) return [];
    const day = dayOfRecord(unit, record);
    const units = (await unitRows(unit, seat.entity_id)).filter(({ id }) => id === seat.unit_id);
    const rules = await ruleRows(unit, day);
    const before = (await sittingRows(unit, seat.entity_id)).filter((one) => one.unit_id === seat.unit_id);
    const known = before.find((one) => one.board_member_id === record.board_member_id);
    const joins: SeatHolderRow = {
      unit_id: seat.unit_id,
      seat_id: seat.id,
      board_member_id: Number(record.board_member_id),
      category: seat.category,
      is_director: seat.is_director,
      is_executive: seat.is_executive,
      votes: seat.votes,
      counts_for_quorum: seat.counts_for_quorum,
      name: person.name,
      gender: person.gender,
      promoter_related: person.promoter_related,
      days_in_india: person.days_in_india,
      independent: known?.independent ?? seat.category === 'independent',
    };
    const after = [...before.filter((one) => one.seat_id !== seat.id), joins];
    const was = new Map(brokenRules(units, rules, before).map((one) => [one.rule_id, one.missing]));
    const worse = brokenRules(units, rules, after).filter(
      (one) => one.severity === 'error' && one.missing > (was.get(one.rule_id) ?? 0),
    );
    return worse.map(({ needed, have, source, remedy }) => ({
      field: 'board_member_id',
      message: `${source}: ${needed} needed, ${have} with ${person.name}. ${remedy} Somebody else may approve it despite the rule, with a reason.`,
    }));
  },
};

/** A seat is filled only while it is vacant; the refusal names the current holder and the end of the term. */
export const seatIsFree: Guard = {
  elevated: true,
  async check({ unit: asked, record }) {
    const [holder] = await asked.elevated().query<{ name: string; number: string; until: string | null }>(
      `select m.name, s.number, t.until_date::text as until from {board_tenure} t join {board_member} m on m.id = t.board_member_id
         join {board_position} s on s.id = t.seat_id where t.seat_id = $1 and t.state = 'active' and t.active and t.id <> $2`,
      [record.seat_id, record.id],
    );
    if (!holder) return [];
    const until = holder.until === null ? '' : ` until ${formatDate(holder.until)}`;
    return [{ field: 'seat_id', message: `Seat ${holder.number} is held by ${holder.name}${until}.` }];
  },
};
