import { describe, expect, it } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import { file, sample, types } from './fixtures/compile_sample.ts';
import type { Sample } from './fixtures/compile_sample.ts';

const text = { $ref: 'types#text' };
const lines = {
  type: 'array',
  items: {
    properties: { item: text, net: { $ref: 'types#money' }, other_id: { $ref: 'types#ref', 'x-ref': 'other' } },
  },
};
const company = sample({ serves: { company: { letterhead: { name: 'name', lines: [['code']] } } } });
const other = sample({}, { hidden: { ...text, 'x-secret': true } });
const terms = sample(
  {
    serves: { terms: { use: 'used_on', title: 'name', text: 'words', order: 'place', from: 'begins', to: 'ends' } },
  },
  {
    used_on: { $ref: 'types#tags', items: { enum: ['order'] } },
    words: text,
    place: { $ref: 'types#integer' },
    begins: { $ref: 'types#date' },
    ends: { $ref: 'types#date' },
  },
);

function problemsOf(blocks: Sample[], more: Sample = {}, beside: Sample = {}): { path: string; message: string }[] {
  const thing = sample(
    { print: { slip: { blocks, ...more } }, ...beside },
    { lines, photo: { $ref: 'types#image' }, other_id: { $ref: 'types#ref', 'x-ref': 'other' } },
  );
  const { problems } = compileScreens(
    Object.entries({ thing, other, company, terms }).map(([name, one]) => file(name, JSON.stringify(one))),
    types,
  );
  return problems.map(({ path, message }) => ({ path, message }));
}

const AT = '$.print.slip';

describe('a print', () => {
  it('is accepted if every path exists', () => {
    expect(
      problemsOf([
        { letterhead: true },
        { heading: 'Slip {code} of {company.name}' },
        { box: ['code', 'other_id.name', 'created_at'], in: 3 },
        { table: 'lines', columns: ['item', 'other_id.name', 'net'], sum: ['net'], group: 'item', rows: 'net > 0' },
        { words: 'sum(lines.net)' },
        { terms: 'order', title: 'Terms' },
        { image: 'photo', when: 'photo != null' },
        { columns: [[{ qr: 'code' }], [{ sign: ['For us', { title: 'Accepted', name: 'name' }] }]] },
        { break: true },
      ]),
    ).toEqual([]);
  });

  it.each<[string, Sample[], string, RegExp]>([
    ['a field that is not there', [{ box: ['cod'] }], `${AT}.blocks[0].box[0]`, /no field "cod"/],
    ['a path through no reference', [{ box: ['code.name'] }], `${AT}.blocks[0].box[0]`, /refers to no record/],
    ['a field behind a reference', [{ text: 'To {other_id.nme}' }], `${AT}.blocks[0].text`, /no field "nme"/],
    ['what is secret', [{ box: ['other_id.hidden'] }], `${AT}.blocks[0].box[0]`, /is not printed/],
    ['rows that are none', [{ table: 'code', columns: ['item'] }], `${AT}.blocks[0].table`, /child rows/],
    ['a column', [{ table: 'lines', columns: ['itm'] }], `${AT}.blocks[0].columns[0]`, /no field "itm"/],
    ['a sum of words', [{ table: 'lines', columns: ['item'], sum: ['item'] }], `${AT}.blocks[0].sum[0]`, /added up/],
    ['a group', [{ table: 'lines', columns: ['item'], group: 'kind' }], `${AT}.blocks[0].group`, /no column "kind"/],
    ['a branch that is none', [{ letterhead: 'other_id' }], `${AT}.blocks[0].letterhead`, /no branch/],
    ['clauses', [{ terms: 'bill' }], `${AT}.blocks[0].terms`, /not used on "bill"/],
    ['a picture', [{ image: 'code' }], `${AT}.blocks[0].image`, /is not a picture/],
    ['an amount', [{ words: 'ttl' }], `${AT}.blocks[0].words`, /no field "ttl"/],
    [
      'inside columns',
      [{ columns: [[{ box: ['cod'] }], [{ break: true }]] }],
      `${AT}.blocks[0].columns[0][0].box[0]`,
      /"cod"/,
    ],
  ])('%s is refused', (_what, blocks, path, message) => {
    expect(problemsOf(blocks)).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });

  it('is refused if it is too wide for the paper, or if a state has an invalid watermark', () => {
    const wide = [{ table: 'lines', columns: ['item', 'net', 'item', 'net', 'item'] }];
    expect(problemsOf(wide, { paper: 'A6' })).toEqual([
      { path: `${AT}.blocks[0].columns`, message: '5 columns do not fit on A6; 4 do.' },
    ]);
    expect(problemsOf(wide, { paper: 'A6', landscape: true })).toEqual([]);
    expect(problemsOf([{ break: true }], { watermark: { draft: 'DRAFT' } })).toMatchObject([
      { path: `${AT}.watermark.draft` },
    ]);
  });

  it('is attached to a mail: its name and the paths of the text are checked', () => {
    const steps = (effects: Sample[]) => ({
      workflow: { states: { open: {}, sent: {} }, transitions: { send: { from: ['open'], to: 'sent', effects } } },
    });
    const P = '$.workflow.transitions.send.effects[0]';
    const mail = { to: 'other_id.name', subject: 'Slip {code}', text: 'See.', attach: ['slip'] };
    const box = [{ box: ['code'] }];
    expect(problemsOf(box, {}, steps([{ mail }, { print: { name: 'slip', keep: true } }]))).toEqual([]);
    for (const [effect, path] of [
      [{ mail: { ...mail, attach: ['slp'] } }, `${P}.mail.attach[0]`],
      [{ mail: { ...mail, subject: '{cod}' } }, `${P}.mail.subject`],
      [{ mail: { ...mail, to: 'emial' } }, `${P}.mail.to`],
      [{ print: { name: 'slp', keep: true } }, `${P}.print.name`],
    ] as const)
      expect(problemsOf(box, {}, steps([effect]))).toMatchObject([{ path }]);
  });
});
