import { describe, expect, test } from 'vitest';
import { vacantDays } from '../../../../src/domain/board/vacancy.ts';
import { companyScore, groupScore, medianDays, skillsCover } from '../../../../src/domain/board/board_score.ts';
import type { SeatHolder } from '../../../../src/domain/board/composition.ts';
import { checkComposition } from '../../../../src/domain/board/composition.ts';
import { closedInTime, standingOf } from '../../../../src/domain/board/meeting_actions.ts';
import {
  attendance,
  gapsOf,
  mayFallVacant,
  meetingClocks,
  meetingsHeld,
  nextBy,
} from '../../../../src/domain/board/meeting_clocks.ts';
import type { OfficeClass } from '../../../../src/domain/board/offices.ts';
import { officesHeld } from '../../../../src/domain/board/offices.ts';
import { quorumOf, quorumWithInterest } from '../../../../src/domain/board/quorum.ts';
import { attrition, averageSpan } from '../../../../src/domain/board/people.ts';
import { brokenRules } from '../../../../src/server/modules/board/judge_rules.ts';
import { shareOf } from '../../../../src/domain/board/share.ts';
import type { CastVote } from '../../../../src/domain/board/votes.ts';
import { countVotes } from '../../../../src/domain/board/votes.ts';
import { fillBy, freeAgain, termAlerts, termEnd, termsInARow } from '../../../../src/domain/board/terms.ts';

// The worked examples of board.md §5.

const person = (more: Partial<SeatHolder> = {}): SeatHolder => ({
  name: 'Somebody',
  category: 'non_executive',
  is_director: true,
  is_executive: false,
  votes: true,
  counts_for_quorum: true,
  gender: 'male',
  promoter_related: false,
  days_in_india: 300,
  independent: false,
  ...more,
});
const many = (count: number, more: Partial<SeatHolder> = {}) => Array.from({ length: count }, () => person(more));
const independent = { category: 'independent', independent: true };
const rule = (check: string, category: string | null = null, value: string | null = null) => ({
  check,
  category,
  value,
});

const listedBoard = {
  id: 1,
  name: 'Board',
  kind: 'board',
  board_type_id: 1,
  company_class: 'listed',
  secretary_id: null,
  quorum_fraction: null,
  quorum_min: 2,
  meetings_per_year: null,
  min_members: null,
  max_members: null,
};

describe('5.1 strength and quorum', () => {
  test.each([
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 2],
    [7, 3],
    [9, 3],
    [10, 4],
    [15, 5],
  ])('strength %i has quorum %i, by a third and by 0.3333 as it is stored', (strength, quorum) => {
    expect(quorumOf(strength)).toBe(quorum);
    expect(quorumOf(strength, { fraction: '0.3333', least: 2 })).toBe(quorum);
  });

  test('if interested directors reach two thirds, the others are the quorum', () => {
    expect(quorumWithInterest(9, 6)).toBe(3);
    expect(quorumWithInterest(9, 5)).toBe(3);
    expect(quorumWithInterest(9, 8)).toBe(2);
    expect(quorumWithInterest(10, 6)).toBe(4);
  });
});

describe('5.2 composition', () => {
  test('a public board of 2 is short by 1', () => {
    expect(checkComposition(rule('min_members', null, '3'), 'board', many(2))).toMatchObject({
      outcome: 'short',
      needed: 3,
      have: 2,
      missing: 1,
      remedy: 'Appoint 1 director.',
    });
    expect(checkComposition(rule('min_members', null, '2'), 'board', many(2)).outcome).toBe('ok');
    expect(checkComposition(rule('max_members', null, '15'), 'board', many(16))).toMatchObject({
      outcome: 'over',
      missing: 1,
    });
  });

  test.each([
    [9, 3],
    [7, 3],
    [10, 4],
  ])('a listed board of %i needs %i independent', (strength, needed) => {
    expect(checkComposition(rule('share_of_category', 'independent', '0.3333'), 'board', many(strength)).needed).toBe(
      needed,
    );
  });

  test('with an executive or promoter chair it needs half', () => {
    const units = [listedBoard];
    const half = {
      ...rule('share_of_category', 'independent', '0.5'),
      id: 7,
      board_type_id: 1,
      company_class: 'listed',
    };
    const rules = [{ ...half, chair: 'executive', severity: 'error', source: 'LODR 17' }];
    const missing = (chair: Partial<SeatHolder>) => {
      const board = [person({ category: 'chairperson', ...chair }), ...many(4, independent), ...many(4)];
      const holders = board.map((one, at) => ({ ...one, unit_id: 1, seat_id: at, board_member_id: at }));
      return brokenRules(units, rules, holders).map((one) => [one.needed, one.have, one.missing]);
    };
    expect(missing({ is_executive: true })).toEqual([[5, 4, 1]]);
    expect(missing({ promoter_related: true })).toEqual([[5, 4, 1]]);
    expect(missing({})).toEqual([]);
  });

  test('the number of members of a unit or its type counts where it is stricter than the rule', () => {
    const rules = [rule('min_members', null, '3'), rule('max_members', null, '15')].map((one, at) => ({
      ...one,
      id: at + 1,
      board_type_id: 1,
      company_class: 'listed',
      chair: 'any',
      severity: 'error',
      source: 's. 149',
    }));
    const missing = (count: number, more: object) =>
      brokenRules(
        [{ ...listedBoard, ...more }],
        rules,
        many(count).map((one, at) => ({ ...one, unit_id: 1, seat_id: at, board_member_id: at })),
      ).map((one) => [one.rule_id, one.missing]);
    expect(missing(4, {})).toEqual([]);
    expect(missing(4, { min_members: 6 })).toEqual([[1, 2]]);
    expect(missing(4, { min_members: 2 })).toEqual([]);
    expect(missing(4, { max_members: 3 })).toEqual([[2, 1]]);
  });

  test('9 with 4 non-executive are short by 1', () => {
    const board = [...many(5, { is_executive: true }), ...many(4)];
    expect(checkComposition(rule('share_of_category', 'non_executive', '0.5'), 'board', board)).toMatchObject({
      needed: 5,
      have: 4,
      missing: 1,
    });
  });

  test('a resident has 182 days; unknown days are reported as unknown', () => {
    const check = (days: number | null) =>
      checkComposition(rule('min_resident', null, '1'), 'board', many(2, { days_in_india: days })).outcome;
    expect([check(182), check(181), check(null)]).toEqual(['ok', 'short', 'not_known']);
  });

  test.each([
    [3, 2],
    [4, 3],
    [5, 3],
  ])('an audit committee of %i has %i independent: more than half', (strength, needed) => {
    expect(shareOf(strength, '0.5001')).toBe(needed);
  });

  test.each([
    [3, 2],
    [4, 2],
    [5, 3],
  ])('a nomination committee of %i has %i independent: at least half', (strength, needed) => {
    expect(shareOf(strength, '0.5')).toBe(needed);
  });

  test('a nomination committee has no executive; a chair may have to be non-executive', () => {
    const all = rule('all_category', 'non_executive');
    expect(checkComposition(all, 'committee', [...many(2), person({ is_executive: true })])).toMatchObject({
      missing: 1,
      remedy: 'Replace 1 member by non-executive ones.',
    });
    expect(checkComposition(all, 'committee', many(3)).outcome).toBe('ok');
    const chair = rule('chair_category', 'non_executive');
    const chaired = (isExecutive: boolean) =>
      checkComposition(chair, 'committee', [
        person({ category: 'committee_chair', is_executive: isExecutive }),
        ...many(2),
      ]).outcome;
    expect([chaired(false), chaired(true)]).toEqual(['ok', 'short']);
  });

  test('the example: nine seats, chair executive, four independent: short by 1, everything else ok', () => {
    const board = [
      person({ category: 'managing_director', is_executive: true }),
      ...many(2, { category: 'whole_time', is_executive: true }),
      ...many(2),
      ...many(3, independent),
      person({ ...independent, gender: 'female' }),
    ];
    const result = (check: string, category: string | null, value: string) =>
      checkComposition(rule(check, category, value), 'board', board);
    expect(result('share_of_category', 'independent', '0.5')).toMatchObject({ needed: 5, have: 4, missing: 1 });
    for (const other of [
      result('share_of_category', 'non_executive', '0.5'),
      result('min_woman', null, '1'),
      result('min_resident', null, '1'),
      result('max_members', null, '15'),
      result('quorum', null, '0.3333'),
    ])
      expect(other.outcome).toBe('ok');
  });
});

describe('5.3 terms', () => {
  test('a term ends a day before so many years; 29 February counts as 28', () => {
    expect(termEnd('2024-02-29', 5)).toBe('2029-02-27');
    expect(termEnd('2021-09-15', 5)).toBe('2026-09-14');
    expect(termEnd('2026-09-15', 5)).toBe('2031-09-14');
    expect(freeAgain('2031-09-14')).toBe('2034-09-15');
  });

  test('reminders are sent 180, 90 and 30 days before', () => {
    expect(termAlerts('2026-09-14')).toEqual(['2026-03-18', '2026-06-16', '2026-08-15']);
  });

  test('terms are consecutive unless three years lie between', () => {
    const [first, second] = [
      { from: '2021-09-15', until: '2026-09-14' },
      { from: '2026-09-15', until: '2031-09-14' },
    ];
    expect(termsInARow([first], '2026-09-15')).toBe(2);
    expect(termsInARow([first, second], '2031-09-15')).toBe(3);
    expect(termsInARow([first, second], '2034-09-14')).toBe(3);
    expect(termsInARow([first, second], '2034-09-15')).toBe(1);
  });
});

describe('5.4 meetings', () => {
  test('the next is held within 120 days', () => {
    expect(nextBy('2025-05-28')).toBe('2025-09-25');
    expect(nextBy('2025-05-12')).toBe('2025-09-09');
    expect(meetingsHeld(['2025-05-12', '2025-09-11']).tooLong).toEqual([2]);
    expect(gapsOf(['2025-05-12', '2025-09-11'])).toEqual([122]);
  });

  test('four in the year with gaps of 107, 78 and 90 days', () => {
    expect(meetingsHeld(['2025-02-10', '2025-05-28', '2025-08-14', '2025-11-12'])).toEqual({
      missing: 0,
      gaps: [107, 78, 90],
      tooLong: [],
    });
  });

  test('the clocks of a meeting', () => {
    expect(meetingClocks('2025-08-14')).toEqual({
      notice_by: '2025-08-07',
      draft_minutes_by: '2025-08-29',
      minutes_entered_by: '2025-09-13',
    });
  });

  test('the days without a holder count from the last one’s last day, or from the seat’s creation', () => {
    const seat = { vacant_since: '2025-06-11', sanctioned_on: '2020-04-01' };
    expect(vacantDays(seat, false, '2025-07-20')).toBe(40);
    expect(vacantDays({ ...seat, vacant_since: null }, false, '2020-04-11')).toBe(10);
    expect([vacantDays(seat, true, '2025-07-20'), vacantDays(seat, false, '2025-06-10')]).toEqual([0, 0]);
  });

  test('a vacancy must be filled by the later date, the earlier one, or within three months', () => {
    expect(fillBy('2025-06-10', '2025-08-14', 'later')).toBe('2025-09-10');
    expect(fillBy('2025-06-10', '2025-08-14', 'earlier')).toBe('2025-08-14');
    expect(fillBy('2025-06-10', '2025-12-01', 'later')).toBe('2025-12-01');
    expect(fillBy('2025-06-10', '2025-12-01', 'months')).toBe('2025-09-10');
  });
});

test('5.5 nine public and twelve private, two of these of public ones: over by 1 in both', () => {
  const offices: OfficeClass[] = [
    ...Array.from({ length: 9 }, () => 'public' as const),
    ...Array.from({ length: 10 }, () => 'private' as const),
    'private_of_public',
    'private_of_public',
    'llp',
    'foreign',
  ];
  expect(officesHeld(offices)).toEqual({ total: 21, public: 11, over: 1, public_over: 1 });
});

test('5.6 attendance: 5 of 6; video counts, leave does not; none of all in a year is an alarm', () => {
  expect(attendance(['in_person', 'video', 'in_person', 'in_person', 'in_person', 'leave'])).toBe(83.33);
  expect(attendance([])).toBeNull();
  expect(mayFallVacant(['leave', 'absent'])).toBe(true);
  expect(mayFallVacant(['leave', 'video'])).toBe(false);
  expect(mayFallVacant([])).toBe(false);
});

test('5.7 the company score and that of a group', () => {
  expect(
    companyScore([
      { weight: 40, score: '92.10' },
      { weight: 25, score: '101.40' },
      { weight: 20, score: '88.00' },
      { weight: 15, score: '95.50' },
    ]),
  ).toBe('94.12');
  expect(
    groupScore([
      { weight: 3, score: '90' },
      { weight: 1, score: '70' },
    ]),
  ).toBe('85.00');
  expect(groupScore([])).toBeNull();
});

test('5.8 skills cover and days to answer', () => {
  const required = ['law', 'finance', 'risk', 'people', 'safety', 'sales', 'it', 'esg'];
  const members = [
    ...['law', 'finance', 'risk', 'people', 'safety', 'sales'].map((skill) => ({ skill, level: 3 })),
    { skill: 'it', level: 2 },
  ];
  expect(skillsCover(required, members)).toEqual({ percent: '75.00', missing: ['it', 'esg'] });
  expect(medianDays([2, 3, 5, 8, 13])).toBe(5);
  expect(medianDays([13, 2, 3, 8])).toBe(5.5);
});

test('actions of meetings: 14 of 20 closed in time; late from the day after the due day', () => {
  const today = '2025-08-14';
  const action = (due_on: string, state = 'open', done_on: string | null = null) =>
    standingOf({ due_on, done_on, state }, today);
  expect([action('2025-08-14'), action('2025-08-13'), action('2025-08-13', 'missed')]).toEqual([
    'open',
    'late',
    'late',
  ]);
  expect([action('2025-08-10', 'done', '2025-08-10'), action('2025-08-10', 'done', '2025-08-11')]).toEqual([
    'in_time',
    'done_late',
  ]);
  const times = <One>(count: number, one: One) => Array.from({ length: count }, () => one);
  expect(
    closedInTime([
      ...times(14, 'in_time' as const),
      ...times(4, 'done_late' as const),
      ...times(2, 'late' as const),
      ...times(5, 'open' as const),
      action('2025-08-01', 'cancelled'),
    ]),
  ).toBe('70.00');
  expect(closedInTime(['open', 'dropped'])).toBeNull();
});

describe('votes on an item', () => {
  const votes = (...cast: [CastVote['vote'], boolean?][]) =>
    countVotes(cast.map(([vote, isChair = false]) => ({ vote, isChair })));

  test('the majority of those for and against decides, and who abstains is not counted', () => {
    expect(votes(['for'], ['for'], ['against'], ['abstain'])).toEqual({
      votes_for: 2,
      votes_against: 1,
      abstained: 1,
      outcome: 'carried',
    });
    expect(votes(['for'], ['against'], ['against']).outcome).toBe('lost');
    expect(votes(['abstain']).outcome).toBeNull();
  });

  test('on equal votes the chair decides with a second vote', () => {
    expect(votes(['for', true], ['against']).outcome).toBe('casting_vote');
    expect(votes(['for'], ['against', true]).outcome).toBe('lost');
    expect(votes(['for'], ['against']).outcome).toBe('lost');
  });
});

test('attrition is of the mean of a year’s first and last day; the average span is of members with a manager', () => {
  expect(attrition(3, 20, 22)).toBe('14.29');
  expect(attrition(0, 0, 0)).toBeNull();
  expect(averageSpan(54, 9)).toBe('6.00');
  expect(averageSpan(0, 0)).toBeNull();
});
