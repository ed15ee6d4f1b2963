import type { QuorumRule } from './quorum.ts';
import { quorumOf } from './quorum.ts';
import { shareOf } from './share.ts';

/** Somebody who sits in a unit today. */
export interface SeatHolder {
  name: string;
  category: string;
  is_director: boolean;
  is_executive: boolean;
  votes: boolean;
  /** Counts for the quorum of a meeting. */
  counts_for_quorum: boolean;
  gender: string;
  promoter_related: boolean;
  /** Days in India last year; null = not known. */
  days_in_india: number | null;
  /** An independent director of the company; what counts for its committees too. */
  independent: boolean;
}

/** A rule of the board, as the secretary keeps it. */
export interface CompositionRule {
  check: string;
  category: string | null;
  value: string | null;
}

export type Outcome = 'ok' | 'short' | 'over' | 'not_known';

/** What a check found. */
export interface CheckResult {
  outcome: Outcome;
  needed: number | null;
  have: number | null;
  /** By how many it fails; 0 = it holds. */
  missing: number;
  remedy: string;
}

/** Days in India that make a resident director (s. 149(3)). */
const RESIDENT_DAYS = 182;

const isNonExecutive = (one: SeatHolder) => !one.is_executive;
const isResident = (one: SeatHolder) => one.days_in_india !== null && one.days_in_india >= RESIDENT_DAYS;

function belongs(one: SeatHolder, category: string | null): boolean {
  switch (category) {
    case 'independent':
      return one.independent;
    case 'non_executive':
      return isNonExecutive(one);
    case 'executive':
      return one.is_executive;
    case 'resident':
      return isResident(one);
    default:
      return one.category === category;
  }
}

const NAMES: Record<string, string> = {
  independent: 'independent',
  non_executive: 'non-executive',
  executive: 'executive',
  resident: 'resident',
};

/** The strength of a unit: directors of a board, voting members of a committee. */
export function strengthOf<Holder extends SeatHolder>(sitting: readonly Holder[], kind: string): Holder[] {
  return sitting.filter((one) => (kind === 'board' ? one.is_director : one.votes));
}

const people = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

function least(have: number, needed: number, remedy: (missing: number) => string): CheckResult {
  const missing = Math.max(0, needed - have);
  return { outcome: missing > 0 ? 'short' : 'ok', needed, have, missing, remedy: missing > 0 ? remedy(missing) : '' };
}

/** Rules that are not about who sits in a unit: of single persons and seats, and of meetings. */
export const NOT_OF_UNIT: ReadonlySet<string> = new Set([
  'max_offices',
  'max_terms',
  'vacancy_days',
  'meetings_per_year',
  'max_gap',
  'attendance',
]);

/** Looks at one rule of a unit. @param unit the unit's own quorum, where it has one */
export function checkComposition(
  rule: CompositionRule,
  kind: string,
  all: readonly SeatHolder[],
  unit?: QuorumRule,
): CheckResult {
  const sitting = strengthOf(all, kind);
  const strength = sitting.length;
  const value = rule.value === null ? 1 : Number(rule.value);
  const of = (category: string | null) => sitting.filter((one) => belongs(one, category)).length;
  const what = NAMES[rule.category ?? ''] ?? rule.category ?? '';
  const member = kind === 'board' ? 'director' : 'member';
  switch (rule.check) {
    case 'min_members':
      return least(strength, value, (missing) => `Appoint ${people(missing, member)}.`);
    case 'max_members': {
      const over = Math.max(0, strength - value);
      return {
        outcome: over > 0 ? 'over' : 'ok',
        needed: value,
        have: strength,
        missing: over,
        remedy: over > 0 ? 'Pass a special resolution, or end a term.' : '',
      };
    }
    case 'min_of_category':
      return least(of(rule.category), value, (missing) => `Appoint ${people(missing, `${what} ${member}`)}.`);
    case 'share_of_category':
      return least(
        of(rule.category),
        shareOf(strength, rule.value ?? '1'),
        (missing) => `Appoint ${people(missing, `${what} ${member}`)}, to replace another member.`,
      );
    case 'min_woman':
      return least(
        sitting.filter(({ gender }) => gender === 'female').length,
        value,
        (missing) => `Appoint ${missing === 1 ? 'a woman' : `${missing} women`}.`,
      );
    case 'min_resident': {
      const result = least(
        of('resident'),
        value,
        (missing) => `Appoint ${people(missing, member)} with ${RESIDENT_DAYS} days in India last year.`,
      );
      return result.missing > 0 && sitting.some(({ days_in_india: days }) => days === null)
        ? { ...result, outcome: 'not_known', remedy: 'Enter the days in India of each director.' }
        : result;
    }
    case 'chair_category': {
      const chairs = sitting.filter(({ category }) => category === 'committee_chair' || category === 'chairperson');
      return least(
        chairs.filter((one) => belongs(one, rule.category)).length,
        1,
        () => `Let a ${what} ${member} take the chair.`,
      );
    }
    case 'all_category':
      return least(of(rule.category), strength, (missing) => `Replace ${people(missing, member)} by ${what} ones.`);
    case 'quorum': {
      const count = sitting.filter((one) => one.counts_for_quorum).length;
      const needed = quorumOf(count, { fraction: rule.value ?? unit?.fraction ?? '0.3333', least: unit?.least ?? 2 });
      return least(count, needed, (missing) => `Appoint ${people(missing, member)}: no meeting has a quorum.`);
    }
    default:
      return { outcome: 'ok', needed: rule.value === null ? null : value, have: null, missing: 0, remedy: '' };
  }
}
