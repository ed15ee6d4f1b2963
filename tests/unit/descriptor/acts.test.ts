import { describe, expect, it } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import type { FunctionNames } from '../../../src/descriptor/function_names.ts';
import { canCollide } from '../../../src/descriptor/number_pattern.ts';
import { file, sample, types } from './fixtures/compile_sample.ts';
import type { Sample } from './fixtures/compile_sample.ts';

const functions: FunctionNames = {
  effects: new Set(['test.post', 'test.tell']),
  jobs: new Set(['test.nightly']),
  guards: new Set(['test.open']),
  events: new Set(['test.booked']),
  notices: new Set(['comment']),
  described: {
    effects: new Map([
      [
        'test.post',
        {
          reverses: true,
          args: {
            type: 'object',
            required: ['amount'],
            additionalProperties: false,
            properties: {
              amount: { type: 'string', 'x-expr': true },
              day: { type: 'string', 'x-field': true },
              to: { type: 'string', 'x-type': true },
            },
          },
        },
      ],
      ['test.tell', { reverses: false }],
    ]),
    guards: new Map([['test.open', {}]]),
  },
};

const text = { $ref: 'types#text' };
const states = { draft: {}, posted: {}, void: {} };
/** A type with a transition `post` and one that leads on to void. */
const thing = (post: Sample, more: Sample = {}, properties: Sample = {}, end: Sample = {}) =>
  sample(
    {
      workflow: {
        states,
        transitions: {
          post: { from: ['draft'], to: 'posted', ...post },
          end: { from: ['posted'], to: 'void', ...end },
        },
      },
      ...more,
    },
    { amount: { $ref: 'types#money' }, other_id: { $ref: 'types#ref', 'x-ref': 'other' }, ...properties },
  );
const other = sample(
  {
    workflow: {
      states: { open: {}, shut: {} },
      transitions: {
        close: { from: ['open'], to: 'shut', ask: ['note'] },
        auto: { from: ['shut'], to: 'open', auto: { when: 'amount > 1' } },
      },
    },
  },
  { amount: { $ref: 'types#money' }, note: text, needed: text },
);
const reason = sample(
  { serves: { reason: { use: 'used_for' } } },
  { used_for: { $ref: 'types#tags', items: { enum: ['lost'] } } },
);

function problemsOf(descriptor: Sample): { path: string; message: string }[] {
  const { problems } = compileScreens(
    Object.entries({ thing: descriptor, other, reason }).map(([name, one]) => file(name, JSON.stringify(one))),
    types,
    functions,
  );
  return problems.map(({ path, message }) => ({ path, message }));
}

const P = '$.workflow.transitions.post';
const effects = (...list: unknown[]) => thing({ effects: list });
const amend = (more: Sample, transition: Sample = {}) =>
  thing({}, {}, {}, { amend: { revision: 'revision', ...more }, ...transition });
const number = (more: Sample) => thing({}, { number: { field: 'code', ...more } });

describe('acts of transitions', () => {
  it('may be taken by a job or an effect of a module', () => {
    for (const by of ['test.nightly', 'test.post'])
      expect(problemsOf(thing({ auto: { by }, ask: ['amount!'] })), by).toEqual([]);
  });

  it('are valid as intended', () => {
    const right = thing(
      {
        locks: ['other_id'],
        guard: [{ 'test.open': {} }],
        effects: [
          { 'test.post': { amount: 'amount * 2', day: 'code', to: 'other' } },
          { set: { of: 'other_id', when: 'target.amount > 0', values: { amount: 'target.amount + amount' } } },
          { move: { of: 'other_id', do: 'close', input: { note: 'code' }, when: 'amount > 0', back: 'close' } },
          { emit: { event: 'test.booked', payload: { amount: 'amount' } } },
          { notify: { event: 'comment', to: ['requester'], values: { name: 'name' } } },
        ],
      },
      {},
      {},
      {
        undo: ['post'],
        reason: 'lost',
        amend: { revision: 'revision', supersede: 'post', set: { name: 'copy.name' } },
      },
    );
    expect(problemsOf(right)).toEqual([]);
  });

  for (const [what, descriptor, path, message] of [
    ['an effect that no module has', effects({ 'test.pots': {} }), `${P}.effects[0]`, /no function "test.pots"/],
    ['arguments that it does not take', effects({ 'test.post': {} }), `${P}.effects[0]["test.post"]`, /amount/],
    [
      'an argument that is no expression',
      effects({ 'test.post': { amount: 'amuont' } }),
      `${P}.effects[0]["test.post"].amount`,
      /no field "amuont"/,
    ],
    [
      'an argument that is no field',
      effects({ 'test.post': { amount: 'amount', day: 'dya' } }),
      `${P}.effects[0]["test.post"].day`,
      /"dya"/,
    ],
    [
      'an argument that is not a type',
      effects({ 'test.post': { amount: 'amount', to: 'othre' } }),
      `${P}.effects[0]["test.post"].to`,
      /no record type "othre"/,
    ],
    [
      'undoing what cannot be undone',
      thing({ effects: [{ 'test.tell': {} }] }, {}, {}, { undo: ['post'] }),
      '$.workflow.transitions.end.undo[0]',
      /cannot be undone/,
    ],
    [
      'undoing a move without its way back',
      thing({ effects: [{ move: { of: 'other_id', do: 'close' } }] }, {}, {}, { undo: ['post'] }),
      '$.workflow.transitions.end.undo[0]',
      /cannot be undone/,
    ],
    [
      'undoing a transition that does nothing',
      thing({}, {}, {}, { undo: ['post'] }),
      '$.workflow.transitions.end.undo[0]',
      /no effects/,
    ],
    [
      'undoing an unknown transition',
      thing({}, {}, {}, { undo: ['pots'] }),
      '$.workflow.transitions.end.undo[0]',
      /no transition "pots"/,
    ],
    ['a lock of no reference', thing({ locks: ['amount'] }), `${P}.locks[0]`, /refers to no record/],
    [
      'setting a state',
      effects({ set: { of: 'other_id', values: { status: "'shut'" } } }),
      `${P}.effects[0].set.values.status`,
      /by its transitions/,
    ],
    [
      'setting what is not there',
      effects({ set: { values: { amuont: '1' } } }),
      `${P}.effects[0].set.values.amuont`,
      /no field/,
    ],
    [
      'setting a text to a number',
      effects({ set: { of: 'other_id', values: { amount: 'name' } } }),
      `${P}.effects[0].set.values.amount`,
      /./,
    ],
    [
      'moving by an unknown transition',
      effects({ move: { of: 'other_id', do: 'clsoe' } }),
      `${P}.effects[0].move.do`,
      /no transition/,
    ],
    [
      'moving by a step of the product',
      effects({ move: { of: 'other_id', do: 'auto' } }),
      `${P}.effects[0].move.do`,
      /taken by the product/,
    ],
    [
      'answering what is not asked',
      effects({ move: { of: 'other_id', do: 'close', input: { amount: '1' } } }),
      `${P}.effects[0].move.input.amount`,
      /does not ask/,
    ],
    ['making what is not under "makes"', effects({ makes: 'slip' }), `${P}.effects[0].makes`, /has no "slip"/],
    [
      'making without what is needed',
      thing({ effects: [{ makes: 'next' }] }, { makes: { next: { to: 'other', set: { code: 'code' } } } }),
      `${P}.effects[0].makes`,
      /"name" of Thing is needed/,
    ],
    [
      'an event that nobody declares',
      effects({ emit: { event: 'test.boked' } }),
      `${P}.effects[0].emit.event`,
      /declares/,
    ],
    [
      'a notice that is not there',
      effects({ notify: { event: 'comet', to: ['requester'] } }),
      `${P}.effects[0].notify.event`,
      /not notified/,
    ],
    [
      'notifying nobody that there is',
      effects({ notify: { event: 'comment', to: ['boss'] } }),
      `${P}.effects[0].notify.to[0]`,
      /not a relation/,
    ],
    ['a step that nothing takes', thing({ auto: { by: 'test.nightl' } }), `${P}.auto.by`, /no job and no effect/],
    ['a use that reasons do not have', thing({ reason: 'lsot' }), `${P}.reason`, /has no "lsot"/],
    [
      'a second transition that makes revisions',
      thing({ amend: { revision: 'revision' } }, {}, {}, { amend: { revision: 'revision' } }),
      '$.workflow.transitions.end.amend',
      /one transition/,
    ],
    [
      'a revision without a place for the old',
      amend({}, { to: undefined }),
      '$.workflow.transitions.end.amend',
      /somewhere/,
    ],
    [
      'a revision by an unknown step',
      amend({ supersede: 'pots' }),
      '$.workflow.transitions.end.amend.supersede',
      /no transition "pots"/,
    ],
    [
      'a field that the revision makes',
      thing({}, {}, { revision: text }, { amend: { revision: 'revision' } }),
      '$.schema.properties.revision',
      /made by "amend"/,
    ],
    ['a number without a counter', number({ pattern: 'B{fy}' }), '$.number.pattern', /no counter/],
    ['a number that begins with 0', number({ pattern: '{0000}' }), '$.number.pattern', /begin with 0/],
    [
      'a counter beside a value',
      number({ pattern: 'B{other_id.code}{0000}' }),
      '$.number.pattern',
      /beside the counter/,
    ],
    ['a path that leads nowhere', number({ pattern: 'B{other_id.cod}/{0000}' }), '$.number.pattern', /no field "cod"/],
    [
      'series that can be the same',
      number({ series: [{ when: 'amount > 1', pattern: 'A{fy}/{00}' }, { pattern: '{other_id.code}/{00}' }] }),
      '$.number.series[1].pattern',
      /same number/,
    ],
    [
      'a series that is never taken',
      number({ series: [{ pattern: 'A/{00}' }, { pattern: 'B/{00}' }] }),
      '$.number.series[0]',
      /never taken/,
    ],
    [
      'a series without an otherwise',
      number({
        series: [
          { when: 'amount > 1', pattern: 'A/{00}' },
          { when: 'amount > 2', pattern: 'B/{00}' },
        ],
      }),
      '$.number.series[1].when',
      /no number/,
    ],
    [
      'numbers apart by what may be empty',
      number({ pattern: 'B/{00}', per: ['amount'] }),
      '$.number.per[0]',
      /cannot part/,
    ],
  ] as const)
    it(`refuse ${what}`, () => {
      const found = problemsOf(JSON.parse(JSON.stringify(descriptor)) as Sample);
      expect(found.map((one) => one.path)).toContain(path);
      expect(found.find((one) => one.path === path)!.message).toMatch(message);
    });

  it('report number patterns that can collide', () => {
    for (const [one, two, meet] of [
      ['PF{fy}/{00000}', '{branch_id.bill_series}/{fy}/{00000}', false],
      ['A{0000}', 'A{00}', true],
      ['A/{0000}', 'B/{0000}', false],
      ['{kind}/{00}', 'A/{00}', true],
      ['{kind}-A/{00}', '{kind}-B/{00}', false],
      ['X{yy}/{00}', 'X{mm}/{00}', true],
      ['X{fy}/{00}', 'X{yyyy}/{00}', false],
    ] as const) {
      expect([one, two, canCollide(one, two)]).toEqual([one, two, meet]);
      expect(canCollide(two, one)).toBe(meet);
    }
  });
});
