import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf } from '../../../../src/domain/questionnaire/answer_form.ts';
import { complete, progressOf } from '../../../../src/domain/questionnaire/completion.ts';
import { courseOf } from '../../../../src/domain/questionnaire/course.ts';
import { findingsOf } from '../../../../src/domain/questionnaire/publish_check.ts';
import { QUESTION_TYPES } from '../../../../src/domain/questionnaire/question.ts';
import type { Answers, Question, Questionnaire, QuestionType } from '../../../../src/domain/questionnaire/question.ts';
import { readQuestionnaire } from '../../../../src/domain/questionnaire/read_questionnaire.ts';
import { shuffled } from '../../../../src/domain/questionnaire/shuffle.ts';
import { answerText, withAnswers } from '../../../../src/domain/questionnaire/shown_text.ts';

type Row = Record<string, unknown>;

const me = { seed: 'r1' };
const q = (code: string, question_type: QuestionType, more: Row = {}): Row => ({
  code,
  question_type,
  text: code,
  ...more,
});
const options = (...codes: string[]) => codes.map((code) => ({ code, label: code.toUpperCase() }));

/** A questionnaire of sections a, b, …, each with these questions. */
function asks(...sections: Row[][]): Questionnaire {
  const rows = sections.map((questions, at) => ({
    code: String.fromCodePoint(97 + at),
    title: `S${at + 1}`,
    questions,
  }));
  return readQuestionnaire({ sections: rows }, { sections: 'sections', questions: 'questions' }, 'index');
}
const given = (values: Row): Answers =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
const shown = (questionnaire: Questionnaire, values: Row, attributes: Row = {}) =>
  courseOf(questionnaire, given(values), { ...me, attributes }).asked.map(({ key }) => key);
const messages = (questionnaire: Questionnaire) => findingsOf(questionnaire).map(({ message }) => message);

/** The worked example of act_engage.md §4.1. */
const nps = asks([
  q('nps', 'nps'),
  q('reason', 'long_text', { text: 'You gave us {{q:nps|value}}. Why?', visible_if: 'nps <= 6' }),
  q('friend', 'short_text', { visible_if: 'nps >= 9' }),
  q('city', 'short_text'),
]);

describe('the course', () => {
  it('shows the questions that the answers require, and drops hidden answers', () => {
    expect(findingsOf(nps)).toEqual([]);
    expect(shown(nps, { nps: 5, reason: 'late' })).toEqual(['nps', 'reason', 'city']);
    const back = { nps: 9, reason: 'late', friend: 'Asha' };
    expect(shown(nps, back)).toEqual(['nps', 'friend', 'city']);
    const done = complete(nps, given(back), me);
    expect(done.kept).toEqual({ nps: { value: 9 }, friend: { value: 'Asha' } });
    expect(done.dropped).toEqual(['reason']);
  });

  it('accepts zero as a value, and an empty value as none', () => {
    const course = courseOf(nps, given({ nps: 0 }), me);
    expect(course.asked.map(({ key }) => key)).toEqual(['nps', 'reason', 'city']);
    expect(withAnswers(course.asked[1]!.question.text, course)).toBe('You gave us 0. Why?');
    expect(shown(nps, {})).toEqual(['nps', 'city']);
  });

  it('ignores a hidden answer, even if the hiding question was answered later', () => {
    const chain = asks([
      q('has', 'yes_no'),
      q('kind', 'single_choice', { options: options('old', 'new'), visible_if: "has == 'yes'" }),
      q('age', 'number', { visible_if: "kind == 'old'" }),
    ]);
    expect(shown(chain, { has: 'yes', kind: 'old', age: 3 })).toEqual(['has', 'kind', 'age']);
    expect(shown(chain, { has: 'no', kind: 'old', age: 3 })).toEqual(['has']);
  });

  it('jumps forward at the end of a section, by the first true condition, and may end early', () => {
    const jumps = [
      { when: "who == 'nobody'", to: 'screen_out' },
      { when: "who == 'guest'", to: 'c' },
      { when: "who == 'done'", to: 'end' },
    ];
    const ways = asks(
      [q('who', 'single_choice', { options: options('guest', 'member', 'nobody', 'done'), jumps })],
      [q('number', 'number')],
      [q('words', 'long_text')],
    );
    expect(findingsOf(ways)).toEqual([]);
    expect(shown(ways, { who: 'member' })).toEqual(['who', 'number', 'words']);
    expect(shown(ways, { who: 'guest', number: 4 })).toEqual(['who', 'words']);
    expect(shown(ways, { who: 'done' })).toEqual(['who']);
    expect(complete(ways, given({ who: 'nobody', words: 'x' }), me)).toMatchObject({
      end: 'screen_out',
      dropped: ['words'],
    });
  });

  it('repeats a section for each choice, or a number of times', () => {
    const repeated = readQuestionnaire(
      {
        parts: [
          {
            code: 'a',
            title: 'A',
            asks: [q('rooms', 'multiple_choice', { options: options('hall', 'bath') }), q('doors', 'number')],
          },
          {
            code: 'b',
            title: 'B',
            repeat_over: 'rooms',
            asks: [q('clean', 'yes_no'), q('why', 'short_text', { visible_if: "clean == 'no'" })],
          },
          { code: 'c', title: 'C', repeat_over: 'doors', asks: [q('shut', 'yes_no')] },
          { code: 'd', title: 'D', asks: [q('sum', 'calculated', { formula: 'count(clean)' })] },
        ],
      },
      { sections: 'parts', questions: 'asks' },
      'none',
    );
    expect(findingsOf(repeated)).toEqual([]);
    const values = { rooms: ['bath', 'hall'], doors: 2, 'clean#hall': 'no', 'clean#bath': 'yes' };
    expect(shown(repeated, values)).toEqual([
      'rooms',
      'doors',
      'clean#hall',
      'why#hall',
      'clean#bath',
      'shut#1',
      'shut#2',
      'sum',
    ]);
    expect(complete(repeated, given(values), me).kept.sum).toEqual({ value: 2 });
  });

  it('asks required questions conditionally, hides matrix rows, and uses facts about the respondent', () => {
    const more = asks([
      q('plan', 'single_choice', { options: options('yes', 'no') }),
      q('when', 'date', { required_if: "plan == 'yes'", min: 'today()' }),
      q('parts', 'matrix_rating', {
        rows: [
          { code: 'shop', label: 'Shop' },
          { code: 'web', label: 'Web', visible_if: "plan == 'yes'" },
        ],
        required: true,
      }),
      q('local', 'yes_no', { text: 'In {{r:city|your town}}?', visible_if: "recipient.city == 'Madurai'" }),
      q('source', 'hidden'),
    ]);
    expect(findingsOf(more)).toEqual([]);
    const faults = (values: Row) =>
      complete(more, given(values), me).faults.map(({ key, message }) => `${key}: ${message}`);
    expect(faults({ plan: 'no', parts: { shop: 4 } })).toEqual([]);
    expect(faults({ plan: 'yes', parts: { shop: 4 } })).toEqual([
      'when: Please answer this question.',
      'parts: "Web" is not answered.',
    ]);
    expect(faults({ plan: 'yes', when: '2020-01-01', parts: { shop: 4, web: 1 } })[0]).toMatch(
      /^when: Not earlier than \d\d-\d\d-\d{4}\.$/,
    );
    expect(complete(more, given({ plan: 'no', parts: { shop: 4, web: 5 } }), me).kept.parts).toEqual({
      value: { shop: 4 },
    });
    const there = courseOf(more, {}, { ...me, attributes: { city: 'Madurai', source: 'qr' } });
    expect(there.asked.map(({ key }) => key)).toContain('local');
    expect(withAnswers('In {{r:city|your town}}?', there)).toBe('In Madurai?');
    expect(withAnswers('In {{r:city|your town}}?', courseOf(more, {}, me))).toBe('In your town?');
    expect(there.asked.find(({ key }) => key === 'source')?.value).toBe('qr');
  });

  it('counts a person’s answered questions', () => {
    expect(progressOf(courseOf(nps, given({ nps: 9 }), me))).toEqual({ answered: 1, of: 3 });
  });
});

/** Of each type: a question, what may be given and how it is kept, and what is refused. */
const examples: Record<QuestionType, { more?: Row; takes: [unknown, unknown][]; refuses: unknown[] }> = {
  short_text: {
    takes: [
      [' Anna ', 'Anna'],
      ['  ', null],
    ],
    refuses: [5, 'x'.repeat(501)],
  },
  long_text: { takes: [['a\nb', 'a\nb']], refuses: [['x']] },
  number: {
    takes: [
      [0, 0],
      ['1,200.5', 1200.5],
    ],
    refuses: ['many', true],
  },
  email: { takes: [['Asha@Example.com', 'asha@example.com']], refuses: ['asha', 'a@b'] },
  phone: { takes: [['098400 12345', '+919840012345']], refuses: ['12', 'call me'] },
  date: {
    takes: [
      ['2026-11-23', '2026-11-23'],
      ['23-11-2026', '2026-11-23'],
    ],
    refuses: ['2026-02-30', 5],
  },
  time: { takes: [['9:05', '09:05']], refuses: ['25:00'] },
  yes_no: { takes: [['no', 'no']], refuses: ['maybe', true] },
  single_choice: {
    more: { options: [...options('a'), { code: 'other', label: 'Other', other: true }] },
    takes: [
      ['a', 'a'],
      [
        { code: 'other', text: ' tea ' },
        { code: 'other', text: 'tea' },
      ],
      [{ code: 'a', text: 'x' }, 'a'],
    ],
    refuses: ['b'],
  },
  dropdown: { more: { options: options('a', 'b') }, takes: [['b', 'b']], refuses: ['c', ['a']] },
  multiple_choice: {
    more: { options: [...options('a', 'b'), { code: 'none', label: 'None', exclusive: true }] },
    takes: [
      [
        ['b', 'a', 'a'],
        ['a', 'b'],
      ],
      [['a', 'none'], ['none']],
      [[], null],
    ],
    refuses: [['c'], 'a'],
  },
  image_choice: { more: { options: options('a') }, takes: [['a', 'a']], refuses: [1] },
  rating: {
    takes: [
      [5, 5],
      ['4', 4],
    ],
    refuses: [0, 6, 2.5],
  },
  scale: { more: { min: '0', max: '3' }, takes: [[0, 0]], refuses: [4] },
  slider: { more: { max: '10' }, takes: [[7.5, 7.5]], refuses: ['far'] },
  nps: {
    more: { max: '5' },
    takes: [
      [0, 0],
      [10, 10],
    ],
    refuses: [11, -1],
  },
  csat: { takes: [[1, 1]], refuses: [6] },
  ces: { takes: [[7, 7]], refuses: [8] },
  ranking: {
    more: { options: options('a', 'b') },
    takes: [
      [
        ['b', 'a'],
        ['b', 'a'],
      ],
      [['b'], ['b']],
    ],
    refuses: [['a', 'a'], ['c']],
  },
  constant_sum: {
    more: { options: options('a', 'b'), total: 100 },
    takes: [[{ b: 40 }, { b: 40 }]],
    refuses: [{ a: -1 }, { c: 1 }],
  },
  matrix_single: {
    more: { rows: options('r'), columns: options('c') },
    takes: [[{ r: 'c' }, { r: 'c' }]],
    refuses: [{ r: 'd' }, { x: 'c' }],
  },
  matrix_multiple: {
    more: { rows: options('r'), columns: options('c', 'd') },
    takes: [[{ r: ['d', 'c'] }, { r: ['c', 'd'] }]],
    refuses: [{ r: 'c' }],
  },
  matrix_rating: { more: { rows: options('r') }, takes: [[{ r: 5 }, { r: 5 }]], refuses: [{ r: 6 }] },
  matrix_input: {
    more: {
      rows: options('r'),
      columns: [{ code: 'n', input: 'number' }, { code: 'd', input: 'date' }, { code: 't' }],
    },
    takes: [[{ r: { n: '5', t: 'x', d: '' } }, { r: { n: 5, t: 'x' } }]],
    refuses: [{ r: { n: 'five' } }, { r: { d: 'soon' } }],
  },
  multiple_input: { more: { rows: options('r', 's') }, takes: [[{ s: 'x', r: '' }, { s: 'x' }]], refuses: [{ r: 5 }] },
  file: {
    more: { max_choices: 2 },
    takes: [
      [
        [7, 7, 8],
        [7, 8],
      ],
      [7, [7]],
    ],
    refuses: [[1, 2, 3], ['x'], [0]],
  },
  signature: { takes: [[[7], [7]]], refuses: [[1, 2]] },
  geo: {
    takes: [
      [
        { lat: 9.9, lng: 78.1, accuracy: 12, by: 'x' },
        { lat: 9.9, lng: 78.1, accuracy: 12 },
      ],
    ],
    refuses: [{ lat: 91, lng: 0 }, 'here'],
  },
  statement: { takes: [[null, null]], refuses: ['x'] },
  consent: { takes: [['yes', 'yes']], refuses: [true] },
  calculated: { more: { formula: '1 + 1' }, takes: [], refuses: [2] },
  hidden: { takes: [['qr', 'qr']], refuses: [5] },
};
const ofType = (type: QuestionType, more: Row = {}): Question =>
  asks([q('x', type, { ...examples[type].more, ...more })]).sections[0]!.questions[0]!;

describe('the 32 types', () => {
  it('all exist, with valid and invalid answers, and can be published', () => {
    expect(QUESTION_TYPES.length).toBe(32);
    for (const type of QUESTION_TYPES) {
      const question = ofType(type);
      for (const [value, kept] of examples[type].takes) expect(formOf(question, value), type).toEqual({ value: kept });
      for (const value of examples[type].refuses) expect(formOf(question, value), type).toHaveProperty('error');
      expect(messages(asks([q('x', type, examples[type].more)])), type).toEqual([]);
    }
  });

  it('keep stored answers stable', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUESTION_TYPES), fc.jsonValue(), (type, value) => {
        const question = ofType(type);
        const first = formOf(question, value);
        if ('value' in first && first.value !== null) expect(formOf(question, first.value)).toEqual(first);
      }),
    );
    for (const type of QUESTION_TYPES)
      for (const [, kept] of examples[type].takes) expect(formOf(ofType(type), kept), type).toEqual({ value: kept });
  });

  it('describe answers in words', () => {
    const said = (type: QuestionType, value: unknown, more: Row = {}) => {
      const question = ofType(type, more);
      return answerText({ question, value, na: false, rows: question.rows });
    };
    expect(said('single_choice', { code: 'other', text: 'tea' })).toBe('Other: tea');
    expect(said('ranking', ['b', 'a'])).toBe('1. B, 2. A');
    expect(said('matrix_multiple', { r: ['c', 'd'] })).toBe('R: C, D');
    expect(said('date', '2026-11-23')).toBe('23-11-2026');
    expect(said('constant_sum', { b: 40 })).toBe('B: 40');
  });
});

describe('required answers', () => {
  const fault = (type: QuestionType, value: unknown, more: Row) =>
    complete(asks([q('x', type, { ...examples[type].more, ...more })]), given({ x: value }), me).faults[0]?.message ??
    null;

  it.each<[QuestionType, unknown, Row, string | null]>([
    ['short_text', 'ab', { pattern: '[A-Z]{2}' }, 'This is not in the expected form.'],
    ['short_text', 'AB', { pattern: '[A-Z]{2}' }, null],
    ['short_text', 'AB', { min: '3' }, 'At least 3 characters.'],
    ['number', 5, { min: '6' }, 'Not less than 6.'],
    ['number', 0.3, { min: '0', step: '0.1' }, null],
    ['number', 0.35, { step: '0.1' }, 'In steps of 0.1.'],
    ['consent', 'no', { required: true }, 'Please agree to go on.'],
    ['consent', 'no', {}, null],
    ['multiple_choice', ['a'], { min_choices: 2 }, 'Choose at least 2.'],
    ['ranking', ['a'], {}, 'Rank all 2.'],
    ['ranking', ['a'], { max_choices: 1 }, null],
    ['constant_sum', { a: 60 }, {}, 'Distribute 40 more.'],
    ['constant_sum', { a: 60.1, b: 40 }, {}, '0.1 too many are distributed.'],
    ['constant_sum', { a: 0.1, b: 0.2 }, { total: '0.3' }, null],
    ['time', '08:00', { min: '09:00' }, 'Not earlier than 09:00.'],
  ])('%s %j %j: %s', (type, value, more, message) => expect(fault(type, value, more)).toBe(message));

  it('are satisfied by "not applicable", if it is allowed', () => {
    const na = (more: Row) =>
      complete(asks([q('x', 'number', { required: true, ...more })]), { x: { value: null, na: true } }, me);
    expect(na({ may_be_na: true })).toMatchObject({ faults: [], kept: { x: { value: null, na: true } }, score: null });
    expect(na({}).faults).toHaveLength(1);
  });
});

describe('the score', () => {
  it('weights shown and answered questions (act_engage.md §5.1)', () => {
    const scored = asks([
      q('a', 'rating', { weight: '2' }),
      q('b', 'rating'),
      q('c', 'yes_no', {
        options: [
          { code: 'yes', score: '1' },
          { code: 'no', score: '0' },
        ],
      }),
      q('d', 'rating', { visible_if: "c == 'no'" }),
      q('e', 'short_text'),
    ]);
    const values = { a: 4, b: 3, c: 'yes', d: 1, e: 'x' };
    expect(complete(scored, given(values), me).score).toBe('80.00');
    expect(complete({ ...scored, score: 'points' }, given(values), me).score).toBe('12.00');
    expect(complete({ ...scored, score: 'none' }, given(values), me).score).toBeNull();
    expect(complete(scored, {}, me).score).toBeNull();
  });

  it('is between 0 and 100', () => {
    const scored = asks([
      q('a', 'nps', { weight: '3' }),
      q('b', 'matrix_rating', { rows: options('r', 's') }),
      q('c', 'multiple_choice', {
        options: [
          { code: 'x', score: '2' },
          { code: 'y', score: '5' },
        ],
      }),
    ]);
    fc.assert(
      fc.property(
        fc.record({
          a: fc.integer({ min: 0, max: 10 }),
          b: fc.record({ r: fc.integer({ min: 1, max: 5 }) }),
          c: fc.subarray(['x', 'y']),
        }),
        (values) => {
          const score = Number(complete(scored, given(values), me).score);
          expect(score >= 0 && score <= 100).toBe(true);
        },
      ),
    );
  });
});

describe('publishing', () => {
  it.each<[string, Row[][], string]>([
    [
      'a question that comes later',
      [[q('reason', 'short_text', { visible_if: 'nps2 > 1' }), q('nps2', 'nps')]],
      "Q1 'reason' asks for 'nps2', which comes later.",
    ],
    [
      'a question that is not there',
      [[q('a', 'short_text', { required_if: 'b == 1' })]],
      "Q1 'a' asks for 'b', which is not a question.",
    ],
    [
      'an option that is not there',
      [[q('a', 'dropdown', { options: options('x') }), q('b', 'nps', { visible_if: "a in ['x', 'y']" })]],
      "Q2 'b' compares 'a' with 'y', which is not one of its choices.",
    ],
    [
      'a jump back',
      [[q('a', 'nps')], [q('b', 'nps', { jumps: [{ when: 'b > 1', to: 'a' }] })]],
      'Q2 \'b\' jumps to "a", which does not come later.',
    ],
    [
      'a section that every way jumps over',
      [[q('a', 'nps', { jumps: [{ when: 'true', to: 'c' }] })], [q('b', 'nps')], [q('c', 'nps')]],
      'Section "S2" is never reached.',
    ],
    [
      'a required question that is never shown',
      [[q('a', 'nps', { required: true, visible_if: '1 > 2' })]],
      "Q1 'a' is required, and never shown.",
    ],
    ['the same code twice', [[q('a', 'nps')], [q('a', 'nps')]], "Q2 'a' has a code that another question has."],
    ['nothing to choose', [[q('a', 'single_choice')]], "Q1 'a' has nothing to choose from."],
    [
      'a pattern that cannot be checked in linear time',
      [[q('a', 'short_text', { pattern: '(?<=a)b' })]],
      'Q1 \'a\' has the pattern "(?<=a)b". Look-around and named groups cannot be used in a pattern.',
    ],
    [
      'an answer shown before it is given',
      [[q('a', 'nps', { text: '{{q:b}}' }), q('b', 'nps')]],
      "Q1 'a' shows the answer of 'b', which comes later.",
    ],
    [
      'an expression that cannot be read',
      [[q('a', 'nps', { visible_if: '1 +' })]],
      'Q1 \'a\' has an expression that cannot be read: something is missing after "+" (character 4).',
    ],
    ['no question at all', [], 'Add a question first.'],
    ['a section without one', [[q('a', 'nps')], []], 'Section "S2" has no questions.'],
  ])('is refused for %s', (_what, sections, message) => expect(messages(asks(...sections))).toContain(message));

  it('refuses a shuffled section that refers to itself', () => {
    const rows = [
      { code: 'a', title: 'A', shuffle: true, questions: [q('x', 'nps'), q('y', 'nps', { visible_if: 'x > 1' })] },
    ];
    const found = messages(
      readQuestionnaire({ sections: rows }, { sections: 'sections', questions: 'questions' }, 'none'),
    );
    expect(found).toEqual(["Q2 'y' asks for 'x', which comes later."]);
  });
});

describe('any answers', () => {
  it('to hidden questions are dropped, and the course is stable', () => {
    fc.assert(
      fc.property(
        fc.record({
          nps: fc.option(fc.integer({ min: -2, max: 12 })),
          reason: fc.string(),
          friend: fc.string(),
          city: fc.string(),
          other: fc.string(),
        }),
        (values) => {
          const first = complete(nps, given(values), me);
          const second = complete(nps, first.kept, me);
          expect(second.kept).toEqual(first.kept);
          expect(second.dropped).toEqual([]);
          expect(Object.keys(first.kept).every((key) => shown(nps, values).includes(key))).toBe(true);
        },
      ),
    );
  });

  it('keep the shuffled order, with fixed choices at the end', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer(), { maxLength: 12 }),
        fc.string(),
        fc.nat({ max: 14 }),
        (list, seed, pinned) => {
          const one = shuffled(list, seed, pinned);
          expect(shuffled(list, seed, pinned)).toEqual(one);
          expect(new Set(one)).toEqual(new Set(list));
          const fixed = Math.min(pinned, list.length);
          expect(one.slice(list.length - fixed)).toEqual(list.slice(list.length - fixed));
        },
      ),
    );
  });
});
