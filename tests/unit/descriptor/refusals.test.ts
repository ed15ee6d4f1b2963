import { describe, expect, it } from 'vitest';
import { RESERVED_NAMES, compileScreens } from '../../../src/descriptor/compile.ts';
import { compile, file, sample, types } from './fixtures/compile_sample.ts';
import type { Sample } from './fixtures/compile_sample.ts';

interface Refusal {
  what: string;
  /** The record type thing, wrong. */
  thing: unknown;
  /** Other record types beside it, right unless said. */
  beside?: Record<string, unknown>;
  path: string;
  message: RegExp;
  hint: RegExp;
  /** Findings in all; more than one only where one mistake has two sides. */
  count?: number;
}

const text = { $ref: 'types#text' };
const yes = { $ref: 'types#boolean' };
const money = { $ref: 'types#money' };
const quantity = { $ref: 'types#quantity' };
const date = { $ref: 'types#date' };
const ref = (target: string, more: Sample = {}) => ({ $ref: 'types#ref', 'x-ref': target, ...more });
const rows = (properties: Sample) => ({ type: 'array', items: { type: 'object', properties } });
const without = (word: string) => {
  const { [word]: _left, ...rest } = sample();
  return rest;
};

const twoStates = {
  field: 'state',
  states: { open: {}, done: {} },
  transitions: { end: { from: ['open'], to: 'done' } },
};

const partOf = (part: Sample, properties: Sample = {}, more: Sample = {}) => {
  const { access: _none, ...rest } = sample({ part }, properties);
  const schema = rest.schema as { required: string[]; properties: Sample };
  return {
    ...rest,
    ...more,
    schema: {
      ...schema,
      required: [...schema.required, 'order_id'],
      properties: { ...schema.properties, order_id: ref('order') },
    },
  };
};
const linesOf = (type: string) =>
  sample({ access: { screen: 'SCN_ORDER' } }, { lines: { type: 'array', 'x-part': type } });

const publicThing = (more: Sample, properties: Sample = {}) =>
  sample(
    {
      workflow: { ...twoStates, transitions: { end: { ...twoStates.transitions.end, ask: ['note!'] } } },
      public: { route: '/thing/public/:token', may: ['end'], fields: ['note'], ...more },
    },
    { note: text, ...properties },
  );

const refusals: Refusal[] = [
  {
    what: 'a public page that asks for something secret',
    thing: publicThing({ fields: ['note', 'pin'] }, { pin: { ...text, 'x-secret': true } }),
    path: '$.public.fields[1]',
    message: /"pin" is secret/,
    hint: /Take it out/,
  },
  {
    what: 'a public page that asks for rows',
    thing: publicThing({ fields: ['note', 'lines'] }, { lines: rows({ a: text }) }),
    path: '$.public.fields[1]',
    message: /"lines" has rows/,
    hint: /Take it out/,
  },
  {
    what: 'a public page of a transition that is not there',
    thing: publicThing({ may: ['finish'] }),
    path: '$.public.may[0]',
    message: /no transition "finish"/,
    hint: /There are: end/,
  },
  {
    what: 'a public page that does not ask what its transition needs',
    thing: publicThing({ fields: ['other'] }, { other: text }),
    path: '$.public.may[0]',
    message: /"end" needs "note"/,
    hint: /under "fields"/,
  },
  {
    what: 'a public page whose token stands elsewhere',
    thing: publicThing({ route: '/thing/:token/form' }),
    path: '$.public.route',
    message: /does not end in "\/public\/:token"/,
    hint: /masked/,
  },
  {
    what: 'a public page with a questionnaire where nothing is handed in',
    thing: sample({ public: { route: '/thing/public/:token', may: 'answer' } }),
    path: '$.public.may',
    message: /no transition that hands answers in/,
    hint: /hand_in/,
  },
  {
    what: 'a public page for new records that gives no required field',
    thing: sample(
      {
        public: {
          route: '/thing/public/:token',
          token: { type: 'other', path: 'other_id' },
          may: 'create',
          fields: ['name'],
        },
      },
      { other_id: ref('other') },
    ),
    beside: { other: sample() },
    path: '$.public.fields',
    message: /"code" is required, and nobody gives it/,
    hint: /Ask or set it/,
  },
  {
    what: 'answers that lead to no questionnaire',
    thing: sample({}, { above_id: ref('thing'), answers: { $ref: 'types#answers', 'x-of': 'above_id' } }),
    path: '$.schema.properties.answers.x-of',
    message: /"above_id" leads to no questionnaire/,
    hint: /"questionnaire"/,
  },
  {
    what: 'answers of nothing',
    thing: sample({}, { answers: { $ref: 'types#answers' } }),
    path: '$.schema.properties.answers',
    message: /answers no questionnaire/,
    hint: /"x-of"/,
  },
  {
    what: 'a questionnaire that nothing publishes',
    thing: sample({
      questionnaire: {
        sections: { type: 'other', by: 'thing_id' },
        questions: { type: 'other', by: 'thing_id' },
        publish: 'send',
      },
    }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.questionnaire.publish',
    message: /no transition "send"/,
    hint: /"workflow"/,
    count: 8,
  },
  {
    what: 'handing in what holds no answers',
    thing: sample({
      workflow: {
        ...twoStates,
        transitions: { end: { from: ['open'], to: 'done', effects: [{ hand_in: { answers: 'name' } }] } },
      },
    }),
    path: '$.workflow.transitions.end.effects[0].hand_in.answers',
    message: /"name" does not hold answers/,
    hint: /another field/,
  },
  {
    what: 'an address for the questions of what has none',
    thing: sample({ sameAs: { '/thing_questions/:id': 'questions' } }),
    path: '$.sameAs["/thing_questions/:id"]',
    message: /no questions/,
    hint: /"questionnaire"/,
    count: 2,
  },
  {
    what: 'parts whose type does not say so',
    thing: linesOf('line'),
    beside: { line: sample({ access: { screen: 'SCN_LINE' } }) },
    path: '$.schema.properties.lines.x-part',
    message: /"line" is no part of this type/,
    hint: /"part": \{ "of": "thing"/,
  },
  {
    what: 'columns beside a part',
    thing: sample({}, { lines: { ...rows({ name: text }), 'x-part': 'line' } }),
    path: '$.schema.properties.lines.x-part',
    message: /columns their own type has/,
    hint: /without "items"/,
  },
  {
    what: 'a part with rights of its own',
    thing: partOf({ of: 'order', by: 'order_id' }, {}, { access: { screen: 'SCN_LINE' } }),
    beside: { order: linesOf('thing') },
    path: '$.access',
    message: /has the rights of its "order"/,
    hint: /Leave "access" out/,
  },
  {
    what: 'a part that nothing ties to its record',
    thing: partOf({ of: 'order', by: 'name' }),
    beside: { order: linesOf('thing') },
    path: '$.part.by',
    message: /does not tie each record to one order/,
    hint: /"x-ref": "order"/,
  },
  {
    what: 'a part that no form shows',
    thing: partOf({ of: 'order', by: 'order_id' }),
    beside: { order: sample() },
    path: '$.part.of',
    message: /no field with rows of this type/,
    hint: /"x-part": "thing"/,
  },
  {
    what: 'a part in another scope',
    thing: partOf({ of: 'order', by: 'order_id' }, {}, { scope: 'entity' }),
    beside: { order: linesOf('thing') },
    path: '$.part.of',
    message: /another scope/,
    hint: /"scope": "tenant"/,
  },
  {
    what: 'a secret of a part',
    thing: partOf({ of: 'order', by: 'order_id' }, { pin: { ...text, 'x-secret': true } }),
    beside: { order: linesOf('thing') },
    path: '$.schema.properties.pin',
    message: /Parts hold no secrets/,
    hint: /in the parent/,
  },
  {
    what: 'a place that the part makes itself',
    thing: partOf({ of: 'order', by: 'order_id' }, { position: { $ref: 'types#integer' } }),
    beside: { order: linesOf('thing') },
    path: '$.schema.properties.position',
    message: /made by "part"/,
    hint: /Take it out/,
  },
  { what: 'a list instead of an object', thing: [], path: '$', message: /is an object/, hint: /Begin with/ },
  {
    what: 'an unknown word',
    thing: sample({ collumns: ['code'] }),
    path: '$.collumns',
    message: /Unknown word "collumns"/,
    hint: /There are: .*grid/,
  },
  {
    what: 'an unknown word near a known one',
    thing: sample({ gird: ['code'] }),
    path: '$.gird',
    message: /Unknown word/,
    hint: /Did you mean "grid"/,
  },
  {
    what: 'an unknown word of a field',
    thing: sample({}, { remark: { ...text, 'x-secrte': true } }),
    path: '$.schema.properties.remark.x-secrte',
    message: /Unknown word "x-secrte"/,
    hint: /"x-secret"/,
  },
  {
    what: 'a default of another kind',
    thing: sample({}, { made_on: { ...date, 'x-default': "concat(code, '!')" } }),
    path: '$.schema.properties.made_on.x-default',
    message: /date/,
    hint: /./,
  },
  {
    what: 'a default of what the company has beside a field',
    thing: sample({}, { where: { ...text, 'x-default': 'concat(company.name, code)' } }),
    path: '$.schema.properties.where.x-default',
    message: /does not stand beside fields of the record/,
    hint: /field of its own/,
  },
  {
    what: 'a default behind a reference',
    thing: sample({}, { up_id: ref('thing'), called: { ...text, 'x-default': 'up_id.code' } }),
    path: '$.schema.properties.called.x-default',
    message: /field of another record/,
    hint: /"x-fetch": "up_id.code"/,
  },
  {
    what: 'a copy into an empty field that nobody fills in',
    thing: sample(
      {},
      { up_id: ref('thing'), called: { ...text, readOnly: true, 'x-fetch': { from: 'up_id.code', while: 'empty' } } },
    ),
    path: '$.schema.properties.called.x-fetch',
    message: /read only/,
    hint: /leave "readOnly" out/,
  },
  {
    what: 'a record whose type no field names',
    thing: sample({}, { of_id: { $ref: 'types#record' } }),
    path: '$.schema.properties.of_id',
    message: /refers to nothing/,
    hint: /"x-ref-by"/,
  },
  {
    what: 'a record of a type that is none',
    thing: sample(
      {},
      { kind_of: { enum: ['thing', 'thong'] }, of_id: { $ref: 'types#record', 'x-ref-by': 'kind_of' } },
    ),
    path: '$.schema.properties.of_id.x-ref-by',
    message: /"thong", a value of "kind_of", is no record type/,
    hint: /Did you mean "thing"/,
  },
  {
    what: 'a table with a column that is not there',
    thing: sample({}, { lines: { 'x-columns': ['qty', 'rte'], ...rows({ qty: money, rate: money }) } }),
    path: '$.schema.properties.lines.x-columns[1]',
    message: /no field "rte"/,
    hint: /Did you mean "rate"/,
  },
  {
    what: 'a column in two parts of the form of a row',
    thing: sample(
      {},
      { lines: { 'x-sections': [{ fields: ['qty'] }, { fields: ['qty'] }], ...rows({ qty: money, rate: money }) } },
    ),
    path: '$.schema.properties.lines.x-sections[1].fields[0]',
    message: /placed twice/,
    hint: /one section/,
  },
  {
    what: 'a hidden field in the list',
    thing: sample({ grid: ['code', 'print'] }, { print: { ...text, 'x-hidden': true } }),
    path: '$.schema.properties.print.x-hidden',
    message: /"grid" names it/,
    hint: /Take it out/,
  },
  {
    what: 'a form that goes by a field no browser gets',
    thing: sample({}, { print: { ...text, 'x-hidden': true }, note: { ...text, 'x-when': "print == 'x'" } }),
    path: '$.schema.properties.print.x-hidden',
    message: /form of "note" goes by "print"/,
    hint: /"x-hidden": "read"/,
  },
  {
    what: 'a hidden field that must be filled in',
    thing: {
      ...sample({}, { print: { ...text, 'x-hidden': true } }),
      schema: { required: ['print'], properties: { code: text, print: { ...text, 'x-hidden': true } } },
      label: ['code'],
    },
    path: '$.schema.properties.print.x-hidden',
    message: /required, and no form asks/,
    hint: /"default"/,
  },
  {
    what: 'what no browser does',
    thing: sample({ actions: [{ title: 'Print', run: 'prnt', runs: 'browser' }] }),
    path: '$.actions[0].run',
    message: /No browser does "prnt"/,
    hint: /Did you mean "print"/,
  },
  {
    what: 'an address to open in a field that has none',
    thing: sample({ actions: [{ title: 'Open', run: 'open', runs: 'browser', of: 'code' }] }),
    path: '$.actions[0].of',
    message: /"code" is not an address/,
    hint: /type url/,
  },
  {
    what: 'a copy of nothing',
    thing: sample({ actions: [{ title: 'Copy', run: 'copy', runs: 'browser' }] }),
    path: '$.actions[0]',
    message: /takes the value of a field/,
    hint: /"of"/,
  },
  {
    what: 'an import into a state by a transition that leads elsewhere',
    thing: sample({
      workflow: {
        field: 'state',
        import: { done: 'again' },
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done' }, again: { from: ['done'], to: 'open' } },
      },
    }),
    path: '$.workflow.import.done',
    message: /"again" does not lead from "open" to "done"/,
    hint: /takes new records there/,
  },
  {
    what: 'an import into a state whose transition asks for a reason',
    thing: sample({
      workflow: {
        field: 'state',
        import: { done: 'end' },
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done', reason: true } },
      },
    }),
    path: '$.workflow.import.done',
    message: /asks for a reason/,
    hint: /another transition/,
  },
  {
    what: 'one document for each of something that has no rows',
    thing: sample({ makes: { more: { to: 'thing', each: 'code', set: { code: 'code' } } } }),
    path: '$.makes.more.each',
    message: /"code" is not a field with child rows/,
    hint: /./,
  },
  {
    what: 'one document for each, once',
    thing: sample(
      { makes: { more: { to: 'thing', each: 'lines', once: true, set: { code: 'what' } } } },
      { lines: rows({ what: text }) },
    ),
    path: '$.makes.more.each',
    message: /one document anyway/,
    hint: /"once"/,
  },
  {
    what: 'a condition of sight that no statement can ask',
    thing: sample({}, { score: { ...money, 'x-visible': 'score * 2 > 5' } }),
    path: '$.schema.properties.score.x-visible',
    message: /asked in the statements of lists/,
    hint: /status == 'published'/,
  },
  {
    what: 'a condition of sight by a relation that is not there',
    thing: sample({ relations: { writer: 'created_by' } }, { score: { ...money, 'x-visible': 'viewer.writter' } }),
    path: '$.schema.properties.score.x-visible',
    message: /no relation "writter"/,
    hint: /Did you mean "writer"/,
  },
  {
    what: 'a condition of sight by another such field',
    thing: sample(
      {},
      { score: { ...money, 'x-visible': 'open' }, open: { type: 'boolean', 'x-visible': 'viewer.requester' } },
    ),
    path: '$.schema.properties.score.x-visible',
    message: /"open" has a condition of its own/,
    hint: /everybody sees/,
  },
  {
    what: 'a condition of sight that compares with what the list does not have',
    thing: sample({}, { score: { ...money, 'x-visible': "mood == 'gladd'" }, mood: { enum: ['glad', 'sad'] } }),
    path: '$.schema.properties.score.x-visible',
    message: /"gladd" is no value/,
    hint: /Did you mean "glad"/,
  },
  {
    what: 'a condition of sight that compares numbers with text',
    thing: sample({}, { score: { ...money, 'x-visible': "level == 'one'" }, level: { type: 'integer' } }),
    path: '$.schema.properties.score.x-visible',
    message: /values of two kinds/,
    hint: /quotes/,
  },
  {
    what: 'the label out of sight',
    thing: sample({ label: ['score'] }, { score: { ...text, 'x-visible': 'viewer.requester' } }),
    path: '$.schema.properties.score.x-visible',
    message: /names the record/,
    hint: /Leave "x-visible" out/,
  },
  {
    what: 'a formula that shows what is out of sight',
    thing: sample(
      {},
      { score: { ...money, 'x-visible': 'viewer.requester' }, twice: { ...money, 'x-formula': 'score * 2' } },
    ),
    path: '$.schema.properties.score.x-visible',
    message: /"twice" would show/,
    hint: /the same "x-visible"/,
  },
  {
    what: 'a rule about what is out of sight',
    thing: sample(
      { rules: [{ assert: 'score > 1', message: 'No.' }] },
      { score: { ...money, 'x-visible': 'viewer.requester' } },
    ),
    path: '$.schema.properties.score.x-visible',
    message: /A rule looks at "score"/,
    hint: /guard of a step/,
  },
  {
    what: 'a copy of what is out of sight',
    thing: sample({}, { up_id: ref('other'), copy: { ...text, 'x-fetch': 'up_id.note' } }),
    beside: {
      other: sample({ access: { screen: 'SCN_OTHER' } }, { note: { ...text, 'x-visible': 'viewer.requester' } }),
    },
    path: '$.schema.properties.copy.x-fetch',
    message: /not visible to everybody/,
    hint: /another field/,
  },
  {
    what: 'read-only by a field that is not there',
    thing: sample({}, { rate: { ...money, 'x-readonly': 'clossed' }, closed: { type: 'boolean' } }),
    path: '$.schema.properties.rate.x-readonly',
    message: /no field "clossed"/,
    hint: /Did you mean "closed"/,
  },
  {
    what: 'read-only at times what nobody writes',
    thing: sample({}, { rate: { ...money, readOnly: true, 'x-once': true } }),
    path: '$.schema.properties.rate.x-once',
    message: /never changed by people/,
    hint: /Leave "x-once" out/,
  },
  {
    what: 'a currency that no field names',
    thing: sample({}, { paid: { ...money, 'x-currency': 'currenzy' }, currency: text }),
    path: '$.schema.properties.paid.x-currency',
    message: /no field "currenzy"/,
    hint: /Did you mean "currency"/,
  },
  {
    what: 'a currency by a reference to something else',
    thing: sample({}, { paid: { ...money, 'x-currency': 'up_id' }, up_id: ref('thing') }),
    path: '$.schema.properties.paid.x-currency',
    message: /"up_id" names no currency/,
    hint: /first "label"/,
  },
  {
    what: 'a board that adds up several currencies',
    thing: sample(
      { looks: { board: { by: 'state', sum: 'paid' } } },
      {
        paid: { ...money, 'x-currency': 'paid_in' },
        paid_in: { ...text, pattern: '^[A-Z]{3}$' },
        state: { enum: ['a'] },
      },
    ),
    path: '$.looks.board.sum',
    message: /several currencies/,
    hint: /in one currency/,
  },
  {
    what: 'a board that adds up several units',
    thing: sample(
      { looks: { board: { by: 'state', sum: 'amount' } } },
      { amount: { ...quantity, 'x-unit-of': 'measured_in' }, measured_in: text, state: { enum: ['a'] } },
    ),
    path: '$.looks.board.sum',
    message: /several units/,
    hint: /a count/,
  },
  {
    what: 'a unit by an unknown field',
    thing: sample({}, { amount: { ...quantity, 'x-unit-of': 'measured' }, measured_in: text }),
    path: '$.schema.properties.amount.x-unit-of',
    message: /no field "measured"/,
    hint: /measured_in/,
  },
  {
    what: 'a unit of an amount of money',
    thing: sample({}, { amount: { ...money, 'x-unit-of': 'measured_in' }, measured_in: text }),
    path: '$.schema.properties.amount.x-unit-of',
    message: /no unit of its own/,
    hint: /x-currency/,
  },
  {
    what: 'a formula that adds up several units',
    thing: sample(
      {},
      {
        lines: rows({ amount: { ...quantity, 'x-unit-of': 'measured_in' }, measured_in: text }),
        all: { ...quantity, 'x-formula': 'sum(lines.amount)' },
      },
    ),
    path: '$.schema.properties.all.x-formula',
    message: /several units/,
    hint: /Count the rows/,
  },
  {
    what: 'a misspelt JSON Schema word',
    thing: sample({}, { remark: { ...text, maxlenght: 5 } }),
    path: '$.schema.properties.remark.maxlenght',
    message: /Unknown word/,
    hint: /"maxLength"/,
  },
  {
    what: 'an unknown word of the access',
    thing: sample({ access: { screen: 'SCN_THING', modul: 'FMS' } }),
    path: '$.access.modul',
    message: /Unknown word/,
    hint: /"module"/,
  },
  {
    what: 'required said in the field',
    thing: sample({}, { remark: { ...text, required: true } }),
    path: '$.schema.properties.remark.required',
    message: /must be a list/,
    hint: /code/,
  },
  {
    what: 'a wrong $schema',
    thing: sample({ $schema: 'screen.json' }),
    path: '$.$schema',
    message: /not written as expected/,
    hint: /screen\.schema\.json/,
  },
  {
    what: 'an unknown kind',
    thing: sample({ kind: 'list' }),
    path: '$.kind',
    message: /"list" does not exist/,
    hint: /master, document, settings/,
  },
  { what: 'no title', thing: without('title'), path: '$.title', message: /title is missing/, hint: /Lift make/ },
  {
    what: 'no access',
    thing: without('access'),
    path: '$.access',
    message: /screen code is missing/,
    hint: /SCN_THING/,
  },
  {
    what: 'no screen code',
    thing: sample({ access: { product: 'FMS' } }),
    path: '$.access',
    message: /screen code is missing/,
    hint: /SCN_THING/,
  },
  {
    what: 'a wrong screen code',
    thing: sample({ access: { screen: 'thing' } }),
    path: '$.access.screen',
    message: /"thing" is not a screen code/,
    hint: /SCN_/,
  },
  {
    what: 'an unknown scope',
    thing: sample({ scope: 'company' }),
    path: '$.scope',
    message: /"company" does not exist/,
    hint: /entity/,
  },
  {
    what: 'no fields',
    thing: sample({ schema: { properties: {} } }),
    path: '$.schema',
    message: /no fields/,
    hint: /types#code/,
  },
  {
    what: 'an unknown field type',
    thing: sample({}, { price: { $ref: 'types#monye' } }),
    path: '$.schema.properties.price.$ref',
    message: /no field type "types#monye"/,
    hint: /"types#money"/,
  },
  {
    what: 'an unknown field type once, wherever the field is named',
    thing: sample(
      { grid: ['price'], unique: [['price']], form: { sections: [{ fields: ['price'] }] } },
      { price: { $ref: 'types#monye', default: '5' }, twice: { ...money, 'x-formula': 'price * 2' } },
    ),
    path: '$.schema.properties.price.$ref',
    message: /no field type "types#monye"/,
    hint: /"types#money"/,
  },
  {
    what: 'an unknown x-type',
    thing: sample({}, { price: { 'x-type': 'moneys', type: 'string' } }),
    path: '$.schema.properties.price',
    message: /no field type "moneys"/,
    hint: /"money"/,
  },
  {
    what: 'a field of no type',
    thing: sample({}, { price: { title: 'Price' } }),
    path: '$.schema.properties.price',
    message: /has no type/,
    hint: /types#text/,
  },
  {
    what: 'a wrong field name',
    thing: sample({}, { 'Unit price': money }),
    path: '$.schema.properties["Unit price"]',
    message: /cannot be a field's name/,
    hint: /lower-case letters/,
  },
  {
    what: 'a field every record has',
    thing: sample({}, { version: text }),
    path: '$.schema.properties.version',
    message: /"version" is kept/,
    hint: /another name/,
  },
  {
    what: 'a column every row has',
    thing: sample({}, { lines: rows({ position: text }) }),
    path: '$.schema.properties.lines.items.properties.position',
    message: /every row has it/,
    hint: /another name/,
  },
  {
    what: 'a required field that is not there',
    thing: sample({ schema: { required: ['cod'], properties: { code: text } } }),
    path: '$.schema.required',
    message: /"cod" is not among/,
    hint: /"code"/,
  },
  {
    what: 'rows in rows',
    thing: sample({}, { lines: rows({ parts: rows({ a: text }) }) }),
    path: '$.schema.properties.lines.items.properties.parts',
    message: /cannot have child rows/,
    hint: /record type of their own/,
  },
  {
    what: 'an empty list of values',
    thing: sample({}, { state: { enum: [] } }),
    path: '$.schema.properties.state.enum',
    message: /at least one/,
    hint: /"open"/,
  },
  {
    what: 'a value that is no text',
    thing: sample({}, { state: { enum: ['a', true] } }),
    path: '$.schema.properties.state.enum',
    message: /each a text or a number/,
    hint: /"open"/,
  },
  {
    what: 'a label for no value',
    thing: sample({}, { state: { enum: ['open'], 'x-labels': { opne: 'Open' } } }),
    path: '$.schema.properties.state.x-labels.opne',
    message: /not one of the values/,
    hint: /"open"/,
  },
  {
    what: 'a colour for no value',
    thing: sample({}, { state: { enum: ['open'], 'x-colours': { closed: 'brand' } } }),
    path: '$.schema.properties.state.x-colours.closed',
    message: /not one of the values/,
    hint: /open/,
  },
  {
    what: 'an unknown colour',
    thing: sample({}, { state: { enum: ['open'], 'x-colours': { open: 'red' } } }),
    path: '$.schema.properties.state.x-colours.open',
    message: /cannot be "red"/,
    hint: /danger/,
  },
  {
    what: 'a conditional choice that is none',
    thing: sample({}, { state: { enum: ['open'], 'x-offered': { "name == 'a'": ['opne'] } } }),
    path: `$.schema.properties.state.x-offered["name == 'a'"]`,
    message: /not one of the values/,
    hint: /open/,
  },
  {
    what: 'a choice by a field that is not there',
    thing: sample({}, { state: { enum: ['open'], 'x-offered': { "nmae == 'a'": ['open'] } } }),
    path: `$.schema.properties.state.x-offered["nmae == 'a'"]`,
    message: /nmae/,
    hint: /name/,
  },
  {
    what: 'conditional choices of a text',
    thing: sample({}, { state: { $ref: 'types#text', 'x-offered': { "name == 'a'": ['open'] } } }),
    path: '$.schema.properties.state.x-offered',
    message: /not one of a list/,
    hint: /enum/,
  },
  {
    what: 'a reference to nothing',
    thing: sample({}, { branch_id: { $ref: 'types#ref' } }),
    path: '$.schema.properties.branch_id',
    message: /refers to nothing/,
    hint: /x-ref/,
  },
  {
    what: 'an unknown reference',
    thing: sample({}, { maker_id: ref('makr') }),
    beside: { maker: sample({ access: { screen: 'SCN_MAKER' } }) },
    path: '$.schema.properties.maker_id.x-ref',
    message: /no record type "makr"/,
    hint: /"maker"/,
  },
  {
    what: 'an unknown reference in rows',
    thing: sample({}, { lines: rows({ maker_id: ref('maker') }) }),
    path: '$.schema.properties.lines.items.properties.maker_id.x-ref',
    message: /no record type "maker"/,
    hint: /thing/,
  },
  {
    what: 'a reference from a client to the platform',
    thing: sample({}, { plan_id: ref('plan') }),
    beside: { plan: sample({ scope: 'platform' }) },
    path: '$.schema.properties.plan_id.x-ref',
    message: /lives on the platform/,
    hint: /code as text/,
  },
  {
    what: 'a reference from the platform to a client',
    thing: sample({ scope: 'platform' }, { maker_id: ref('maker') }),
    beside: { maker: sample({ access: { screen: 'SCN_MAKER' } }) },
    path: '$.schema.properties.maker_id.x-ref',
    message: /lives with each client/,
    hint: /code as text/,
  },
  {
    what: 'x-ref-filter by an unknown field of the other type',
    thing: sample({}, { a_id: ref('other'), b: ref('other', { 'x-ref-filter': { groupe: 'a_id' } }) }),
    beside: { other: sample({}, { group: text }) },
    path: '$.schema.properties.b.x-ref-filter',
    message: /no field "groupe"/,
    hint: /"group"/,
  },
  {
    what: 'x-ref-filter by an unknown field of the form',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { group: 'a_i' } }), a_id: text }),
    beside: { other: sample({}, { group: text }) },
    path: '$.schema.properties.b.x-ref-filter.group',
    message: /no field "a_i"/,
    hint: /"a_id"/,
  },
  {
    what: 'x-ref-filter with a fixed value of an unknown field',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { groupe: { const: 'x' } } }) }),
    beside: { other: sample({}, { group: text }) },
    path: '$.schema.properties.b.x-ref-filter.groupe',
    message: /no field "groupe"/,
    hint: /"group"/,
  },
  {
    what: 'x-ref-filter with a fixed value that is none of the values',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { state: { const: 'opne' } } }) }),
    beside: { other: sample({}, { state: { enum: ['open', 'closed'] } }) },
    path: '$.schema.properties.b.x-ref-filter.state.const',
    message: /"opne" is not a valid value of "state" of other/,
    hint: /can have there/,
  },
  {
    what: 'x-ref-filter with a fixed value that is none of the tags',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { uses: { const: 'c' } } }) }),
    beside: { other: sample({}, { uses: { $ref: 'types#tags', items: { enum: ['a', 'b'] } } }) },
    path: '$.schema.properties.b.x-ref-filter.uses.const',
    message: /"c" is not a valid value/,
    hint: /can have there/,
  },
  {
    what: 'x-ref-filter with a fixed reference',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { up_id: { const: 5 } } }) }),
    beside: { other: sample({}, { up_id: ref('other') }) },
    path: '$.schema.properties.b.x-ref-filter.up_id',
    message: /cannot be compared with a fixed value: it is of type ref/,
    hint: /list of values/,
  },
  {
    what: 'x-ref-filter of another shape',
    thing: sample({}, { b: ref('other', { 'x-ref-filter': { group: { equals: 'x' } } }) }),
    beside: { other: sample({}, { group: text }) },
    path: '$.schema.properties.b.x-ref-filter.group.const',
    message: /"const" is missing/,
    hint: /./,
    count: 2,
  },
  {
    what: 'x-ref-filter where nothing is referred to',
    thing: sample({}, { b: { ...text, 'x-ref-filter': { group: 'code' } } }),
    path: '$.schema.properties.b.x-ref-filter',
    message: /"b" refers to nothing/,
    hint: /x-ref/,
  },
  {
    what: 'x-across-companies by a setting that is not there',
    thing: sample({}, { b: ref('thing', { 'x-across-companies': { 'setup.far': true } }) }),
    beside: { setup: sample({ kind: 'settings', access: { screen: 'SCN_SETUP' } }, { near: { type: 'boolean' } }) },
    path: '$.schema.properties.b.x-across-companies',
    message: /is not a setting of a client/,
    hint: /settings screen/,
  },
  {
    what: 'x-across-companies by a value that the setting cannot have',
    thing: sample({}, { b: ref('thing', { 'x-across-companies': { 'setup.far': 'x' } }) }),
    beside: { setup: sample({ kind: 'settings', access: { screen: 'SCN_SETUP' } }, { far: { type: 'boolean' } }) },
    path: '$.schema.properties.b.x-across-companies',
    message: /"x" is not a valid value of "far" of setup/,
    hint: /can have/,
  },
  {
    what: 'a number by a record that is not a setting',
    thing: sample({ number: { field: 'no', pattern: 'N{0000}', when: { 'thing.name': 'x' } } }, { no: text }),
    path: '$.number.when',
    message: /is not a setting of a client/,
    hint: /settings screen/,
  },
  {
    what: 'x-override of a record that is not a setting',
    thing: sample({}, { size: { ...text, 'x-override': 'company' } }),
    path: '$.schema.properties.size.x-override',
    message: /Companies cannot set "size"/,
    hint: /"kind": "settings"/,
  },
  {
    what: 'x-risk of a record that is not a setting',
    thing: sample(
      {},
      { open: { type: 'boolean', 'x-risk': { when: 'open == true', safe: false, effect: 'Closed.' } } },
    ),
    path: '$.schema.properties.open.x-risk',
    message: /"open" is not a setting/,
    hint: /rules/,
  },
  {
    what: 'x-risk with a safe value that cannot be',
    thing: sample(
      { kind: 'settings' },
      { open: { type: 'boolean', 'x-risk': { when: 'open == true', safe: 'no', effect: 'Closed.' } } },
    ),
    path: '$.schema.properties.open.x-risk.safe',
    message: /The safe value "no" is not a valid value/,
    hint: /can have/,
  },
  {
    what: 'x-risk by an unknown field',
    thing: sample(
      { kind: 'settings' },
      { open: { type: 'boolean', 'x-risk': { when: 'opne == true', safe: false, effect: 'Closed.' } } },
    ),
    path: '$.schema.properties.open.x-risk.when',
    message: /no field "opne"/,
    hint: /"open"/,
  },
  {
    what: 'x-unique of an unknown column',
    thing: sample({}, { lines: { ...rows({ level: text }), 'x-unique': ['levle'] } }),
    path: '$.schema.properties.lines.x-unique[0]',
    message: /no field "levle"/,
    hint: /"level"/,
  },
  {
    what: 'x-unique of a picture',
    thing: sample({}, { lines: { ...rows({ photo: { $ref: 'types#image' } }), 'x-unique': ['photo'] } }),
    path: '$.schema.properties.lines.x-unique[0]',
    message: /cannot be part of a key/,
    hint: /short value/,
  },
  {
    what: 'x-unique without child rows',
    thing: sample({}, { level: { ...text, 'x-unique': ['level'] } }),
    path: '$.schema.properties.level.x-unique',
    message: /"level" has no child rows/,
    hint: /"unique"/,
  },
  {
    what: 'x-unique that is not a list',
    thing: sample({}, { lines: { ...rows({ level: text }), 'x-unique': 'level' } }),
    path: '$.schema.properties.lines.x-unique',
    message: /must be a list/,
    hint: /./,
  },
  {
    what: 'a first day that there is not',
    thing: sample({}, { on: { ...date, formatMinimum: '2025-02-30' } }),
    path: '$.schema.properties.on.formatMinimum',
    message: /not a value of "on"/,
    hint: /2026-04-01/,
  },
  {
    what: 'a last moment without its zone',
    thing: sample({}, { at: { $ref: 'types#datetime', formatMaximum: '2026-04-01T09:00' } }),
    path: '$.schema.properties.at.formatMaximum',
    message: /not a value of "at"/,
    hint: /05:30/,
  },
  {
    what: 'a first time of a text',
    thing: sample({}, { level: { ...text, formatMinimum: '09:00' } }),
    path: '$.schema.properties.level.formatMinimum',
    message: /neither a date nor a time/,
    hint: /"minimum"/,
  },
  {
    what: 'more decimals than a quantity has',
    thing: sample({}, { qty: { $ref: 'types#quantity', 'x-precision': 4 } }),
    path: '$.schema.properties.qty.x-precision',
    message: /at most 3 decimals/,
    hint: /types#decimal/,
  },
  {
    what: 'a unit beside a percentage',
    thing: sample({}, { share: { $ref: 'types#percent', 'x-unit': '%' } }),
    path: '$.schema.properties.share.x-unit',
    message: /"share" is a percentage/,
    hint: /Remove it/,
  },
  {
    what: 'decimals of a date',
    thing: sample({}, { on: { ...date, 'x-precision': 2 } }),
    path: '$.schema.properties.on.x-precision',
    message: /has no decimals/,
    hint: /types#decimal/,
  },
  {
    what: 'seconds of a date',
    thing: sample({}, { on: { ...date, 'x-seconds': true } }),
    path: '$.schema.properties.on.x-seconds',
    message: /not a date with a time/,
    hint: /datetime/,
  },
  {
    what: 'x-fetch that is no pair',
    thing: sample({}, { address: { ...text, 'x-fetch': 'building' } }),
    path: '$.schema.properties.address.x-fetch',
    message: /not a reference and its field/,
    hint: /building_id\.address/,
  },
  {
    what: 'x-fetch through what is not a reference',
    thing: sample({}, { address: { ...text, 'x-fetch': 'code.address' } }),
    path: '$.schema.properties.address.x-fetch',
    message: /"code" is not a reference/,
    hint: /There are/,
  },
  {
    what: 'x-fetch in a row by a reference of the record',
    thing: sample({}, { other_id: ref('other'), lines: rows({ rate: { ...text, 'x-fetch': 'other_id.name' } }) }),
    beside: { other: sample() },
    path: '$.schema.properties.lines.items.properties.rate.x-fetch',
    message: /a reference of the record, not of the row/,
    hint: /into a field of the record.*x-formula/,
  },
  {
    what: 'x-fetch into a field that cannot hold it',
    thing: sample({}, { other_id: ref('other'), copied: { ...date, 'x-fetch': 'other_id.name' } }),
    beside: { other: sample() },
    path: '$.schema.properties.copied.x-fetch',
    message: /of type date and cannot hold "name" of other, which is of type name/,
    hint: /types#name/,
  },
  {
    what: 'x-fetch of a secret',
    thing: sample({}, { other_id: ref('other'), copied: { ...text, 'x-fetch': 'other_id.pin' } }),
    beside: { other: sample({}, { pin: { ...text, 'x-secret': true } }) },
    path: '$.schema.properties.copied.x-fetch',
    message: /it is secret/,
    hint: /another field/,
  },
  {
    what: 'x-fetch of an unknown field',
    thing: sample({}, { other_id: ref('other'), address: { ...text, 'x-fetch': 'other_id.adress' } }),
    beside: { other: sample({}, { address: text }) },
    path: '$.schema.properties.address.x-fetch',
    message: /no field "adress"/,
    hint: /"address"/,
  },
  {
    what: 'a formula of an unknown field',
    thing: sample({}, { qty: money, total: { ...money, 'x-formula': 'qyt * 2' } }),
    path: '$.schema.properties.total.x-formula',
    message: /no field "qyt"/,
    hint: /"qty"/,
  },
  {
    what: 'a formula that names no field',
    thing: sample({}, { total: { ...money, 'x-formula': '2 * 3' } }),
    path: '$.schema.properties.total.x-formula',
    message: /names no field/,
    hint: /qty \* rate/,
  },
  {
    what: 'a formula that cannot be read',
    thing: sample({}, { qty: money, total: { ...money, 'x-formula': 'qty * ' } }),
    path: '$.schema.properties.total.x-formula',
    message: /cannot be read/,
    hint: /descriptors\.md/,
  },
  {
    what: 'a formula with an unknown function',
    thing: sample({}, { qty: money, total: { ...money, 'x-formula': 'sqrt(qty)' } }),
    path: '$.schema.properties.total.x-formula',
    message: /no function "sqrt"/,
    hint: /descriptors\.md/,
  },
  {
    what: 'a formula with too few values',
    thing: sample({}, { a: date, b: { ...date, 'x-formula': 'add_days(a)' } }),
    path: '$.schema.properties.b.x-formula',
    message: /add_days takes 2 values; here are 1/,
    hint: /descriptors\.md/,
  },
  {
    what: 'a formula about itself',
    thing: sample({}, { total: { ...money, 'x-formula': 'total + 1' } }),
    path: '$.schema.properties.total.x-formula',
    message: /circle: total → total/,
    hint: /by hand/,
  },
  {
    what: 'formulas in a circle',
    thing: sample({}, { a: { ...money, 'x-formula': 'b + 1' }, b: { ...money, 'x-formula': 'a + 1' } }),
    path: '$.schema.properties.a.x-formula',
    message: /circle: a → b → a/,
    hint: /by hand/,
  },
  {
    what: 'formulas in a circle in rows',
    thing: sample({}, { lines: rows({ a: { ...money, 'x-formula': 'b' }, b: { ...money, 'x-formula': 'a' } }) }),
    path: '$.schema.properties.lines.items.properties.a.x-formula',
    message: /circle/,
    hint: /by hand/,
  },
  {
    what: 'formulas in a circle through rows',
    thing: sample(
      {},
      {
        lines: rows({ share: { ...money, 'x-formula': 'total / 2' } }),
        total: { ...money, 'x-formula': 'sum(lines.share)' },
      },
    ),
    path: '$.schema.properties.total.x-formula',
    message: /circle: total → lines\.share → total/,
    hint: /by hand/,
  },
  {
    what: 'a sum over what is not rows',
    thing: sample({}, { total: { ...money, 'x-formula': 'sum(code.amount)' } }),
    path: '$.schema.properties.total.x-formula',
    message: /"code" is not a field with child rows/,
    hint: /There are/,
  },
  {
    what: 'a sum over an unknown column',
    thing: sample({}, { lines: rows({ amount: money }), total: { ...money, 'x-formula': 'sum(lines.amout)' } }),
    path: '$.schema.properties.total.x-formula',
    message: /no field "amout"/,
    hint: /"amount"/,
  },
  {
    what: 'x-when of an unknown field',
    thing: sample({}, { remark: { ...text, 'x-when': "statu == 'x'" }, status: text }),
    path: '$.schema.properties.remark.x-when',
    message: /no field "statu"/,
    hint: /"status"/,
  },
  {
    what: 'x-required-when of an unknown field',
    thing: sample({}, { remark: { ...text, 'x-required-when': "statu == 'x'" }, status: text }),
    path: '$.schema.properties.remark.x-required-when',
    message: /no field "statu"/,
    hint: /"status"/,
  },
  {
    what: 'not without brackets',
    thing: sample({}, { remark: { ...text, 'x-when': "not code == 'x'" } }),
    path: '$.schema.properties.remark.x-when',
    message: /not \(a == b\)/,
    hint: /descriptors\.md/,
  },
  {
    what: 'a rule of an unknown field',
    thing: sample({ rules: [{ assert: 'cod != null', message: 'No.' }] }),
    path: '$.rules[0].assert',
    message: /no field "cod"/,
    hint: /"code"/,
  },
  {
    what: 'a rule that names no field',
    thing: sample({ rules: [{ assert: '1 < 2', message: 'No.' }] }),
    path: '$.rules[0].assert',
    message: /names no field/,
    hint: /depends on/,
  },
  {
    what: 'a rule whose message names an unknown field',
    thing: sample({ rules: [{ assert: 'code != null', message: 'It is {cod}.' }] }),
    path: '$.rules[0].message',
    message: /no field "cod"/,
    hint: /"code"/,
  },
  {
    what: 'a rule without a message',
    thing: sample({ rules: [{ assert: 'code != null' }] }),
    path: '$.rules[0].message',
    message: /"message" is missing/,
    hint: /user's words/,
  },
  {
    what: 'a rule beside an unknown field',
    thing: sample({ rules: [{ assert: 'code != null', message: 'No.', field: 'cod' }] }),
    path: '$.rules[0].field',
    message: /no field "cod"/,
    hint: /"code"/,
  },
  {
    what: 'a rule over rows that are none',
    thing: sample({ rules: [{ assert: 'code != null', message: 'No.', rows: 'code' }] }),
    path: '$.rules[0].rows',
    message: /not a field with child rows/,
    hint: /There are/,
  },
  {
    what: 'a default that is not valid',
    thing: sample({}, { months: { $ref: 'types#integer', maximum: 12, default: 13 } }),
    path: '$.schema.properties.months.default',
    message: /default 13 is not a valid value/,
    hint: /Change/,
  },
  {
    what: 'a default that is none of the values',
    thing: sample({}, { state: { enum: ['open'], default: 'opened' } }),
    path: '$.schema.properties.state.default',
    message: /not a valid value/,
    hint: /Change/,
  },
  {
    what: 'a default that breaks the limit of an amount',
    thing: sample({}, { price: { ...money, maximum: 10, default: '11.00' } }),
    path: '$.schema.properties.price.default',
    message: /must be at most 10/,
    hint: /Change/,
  },
  {
    what: 'a pattern that is no expression',
    thing: sample({}, { remark: { ...text, pattern: '[' } }),
    path: '$.schema.properties.remark.pattern',
    message: /not a regular expression/,
    hint: /Test it/,
  },
  {
    what: 'JSON Schema that does not compile',
    thing: sample({ schema: { properties: { name: text }, if: { properties: { name: { type: 'txt' } } } } }),
    path: '$.schema.if.properties.name.type',
    message: /^"if\.properties\.name\.type" is /,
    hint: /2020-12/,
  },
  {
    what: 'a condition that refers to nothing',
    thing: sample({
      schema: { properties: { name: text }, not: { $ref: '#/nowhere' } },
    }),
    path: '$.schema',
    message: /"\$ref" in it leads nowhere/,
    hint: /2020-12/,
  },
  {
    what: 'a product that nobody can buy',
    thing: sample({ access: { screen: 'SCN_THING', product: ['FMS', 'FSM'] } }),
    path: '$.access.product',
    message: /There is no product "FSM"/,
    hint: /Did you mean "FMS"/,
  },
  {
    what: 'an action that does nothing',
    thing: sample({ actions: [{ title: 'Go' }] }),
    path: '$.actions[0]',
    message: /needs one of "to", "call"\.?/,
    hint: /Screen rights/,
  },
  {
    what: 'an action that does two things',
    thing: sample({ actions: [{ title: 'Go', to: '/x', call: 'y' }] }),
    path: '$.actions[0]',
    message: /more than one of "to", "call"\.?/,
    hint: /Screen rights/,
  },
  {
    what: 'a column without a field',
    thing: sample({ grid: [{}] }),
    path: '$.grid[0].field',
    message: /"field" is missing/,
    hint: /Field shown/,
  },
  {
    what: 'a width that is too small',
    thing: sample({ grid: [{ field: 'name', width: 5 }] }),
    path: '$.grid[0].width',
    message: /^"width" must be at least 40\.$/,
    hint: /pixels/,
  },
  {
    what: 'a name that cannot be one',
    thing: sample({ actions: [{ title: 'Go', call: 'go', ask: { 'A-b': 'Why?' } }] }),
    path: '$.actions[0].ask',
    message: /cannot have an entry called "A-b"/,
    hint: /required before the call/,
  },
  {
    what: 'a default of another kind',
    thing: sample({}, { months: { $ref: 'types#integer', default: 'ten' } }),
    path: '$.schema.properties.months.default',
    message: /: it must be a whole number\.$/,
    hint: /Change/,
  },
  {
    what: 'a default of which a part is wrong',
    thing: sample({}, { words: { $ref: 'types#tags', default: ['a', 1] } }),
    path: '$.schema.properties.words.default',
    message: /: entry 2 must be a text\.$/,
    hint: /Change/,
  },
  {
    what: 'a number in a list',
    thing: sample({}, { n: { $ref: 'types#integer' }, words: { $ref: 'types#tags', 'x-formula': 'n * 2' } }),
    path: '$.schema.properties.words.x-formula',
    message: /gives a number, and "words" holds a list/,
    hint: /one value/,
  },
  {
    what: 'a number in a date',
    thing: sample({}, { n: { $ref: 'types#integer' }, day: { $ref: 'types#date', 'x-formula': 'n * 2' } }),
    path: '$.schema.properties.day.x-formula',
    message: /gives a number, and "day" is a date/,
    hint: /add_days/,
  },
  {
    what: 'a condition of an unknown field',
    thing: sample({
      schema: {
        properties: { name: text, status: text },
        if: { properties: { statu: { const: 'x' } } },
        else: { required: ['name'] },
      },
    }),
    path: '$.schema.if.properties.statu',
    message: /no field "statu"/,
    hint: /"status"/,
  },
  {
    what: 'a condition that requires an unknown field',
    thing: sample({
      schema: {
        properties: { name: text },
        if: { properties: { name: { const: 'x' } } },
        else: { required: ['remark'] },
      },
    }),
    path: '$.schema.else.required[0]',
    message: /no field "remark"/,
    hint: /name/,
  },
  {
    what: 'dependentRequired of an unknown field',
    thing: sample({ schema: { properties: { name: text }, dependentRequired: { nam: ['name'] } } }),
    path: '$.schema.dependentRequired.nam',
    message: /no field "nam"/,
    hint: /"name"/,
  },
  {
    what: 'an unknown field in the label',
    thing: sample({ label: ['nam'] }),
    path: '$.label[0]',
    message: /no field "nam"/,
    hint: /"name"/,
  },
  {
    what: 'a label that is no text',
    thing: sample({ label: ['price'] }, { price: money }),
    path: '$.label[0]',
    message: /cannot name a record/,
    hint: /text field/,
  },
  {
    what: 'a secret label',
    thing: sample({ label: ['pin'] }, { pin: { ...text, 'x-secret': true } }),
    path: '$.label[0]',
    message: /secret/,
    hint: /another/,
  },
  {
    what: 'an unknown field in the grid',
    thing: sample({ grid: ['code', 'nmae'] }),
    path: '$.grid[1]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'an unknown field in a grid column',
    thing: sample({ grid: ['code', { field: 'nmae', hidden: true }] }),
    path: '$.grid[1]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a grid column of the wrong shape',
    thing: sample({ grid: [5] }),
    path: '$.grid[0]',
    message: /not written as expected/,
    hint: /./,
  },
  {
    what: 'a grid that is not a list',
    thing: sample({ grid: 'code' }),
    path: '$.grid',
    message: /must be a list/,
    hint: /Write for instance/,
  },
  {
    what: 'a column twice',
    thing: sample({ grid: ['code', 'code'] }),
    path: '$.grid[1]',
    message: /stands twice/,
    hint: /Leave one/,
  },
  {
    what: 'an amount to be encrypted',
    thing: sample({}, { pay: { $ref: 'types#money', 'x-secret': 'encrypted' } }),
    path: '$.schema.properties.pay.x-secret',
    message: /cannot be encrypted/,
    hint: /true/,
  },
  {
    what: 'a former name that is still a field',
    thing: sample({}, { pay: { ...text, was: 'code' } }),
    path: '$.schema.properties.pay.was',
    message: /"code" is still a field/,
    hint: /Take the field/,
  },
  {
    what: 'one former name of two fields',
    thing: sample({}, { pay: { ...text, was: 'wage' }, fee: { ...text, was: ['wage'] } }),
    path: '$.schema.properties.fee.was',
    message: /"wage" was already "pay"/,
    hint: /one field alone/,
  },
  {
    what: 'a former name that no field can have',
    thing: sample({}, { pay: { ...text, was: 'created_at' } }),
    path: '$.schema.properties.pay.was',
    message: /never a field/,
    hint: /before/,
  },
  {
    what: 'an encrypted key',
    thing: sample({ unique: [['pin']] }, { pin: { ...text, 'x-secret': 'encrypted' } }),
    path: '$.unique[0][0]',
    message: /encrypted/,
    hint: /another/,
  },
  {
    what: 'a due date that is none',
    thing: sample(
      { due: [{ event: 'due', title: 'Due', date: 'remark', people: { owner: 'created_by' } }] },
      { remark: text },
    ),
    path: '$.due[0].date',
    message: /only a date/,
    hint: /types#date/,
  },
  {
    what: 'a due date without anybody',
    thing: sample(
      { due: [{ event: 'due', title: 'Due', date: 'on', people: { owner: 'on' } }] },
      { on: { $ref: 'types#date' } },
    ),
    path: '$.due[0].people.owner',
    message: /names nobody/,
    hint: /created_by/,
  },
  {
    what: 'a due date with a wrong filter',
    thing: sample(
      { due: [{ event: 'due', title: 'Due', date: 'on', open: ['gone', 'empty'], people: { owner: 'created_by' } }] },
      { on: { $ref: 'types#date' } },
    ),
    path: '$.due[0].open',
    message: /gone/,
    hint: /status/,
  },
  {
    what: 'a secret column',
    thing: sample({ grid: ['pin'] }, { pin: { ...text, 'x-secret': true } }),
    path: '$.grid[0]',
    message: /secret/,
    hint: /another/,
  },
  {
    what: 'an unknown field in the card',
    thing: sample({ card: ['nmae'] }),
    path: '$.card[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a card of five lines',
    thing: sample({ card: ['code', 'name', 'a', 'b', 'c'] }, { a: text, b: text, c: text }),
    path: '$.card',
    message: /at most four lines; here are 5/,
    hint: /two facts/,
  },
  {
    what: 'an unknown field in the sort',
    thing: sample({ sort: ['-nmae'] }),
    path: '$.sort[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a sort by rows',
    thing: sample({ sort: ['lines'] }, { lines: rows({ a: text }) }),
    path: '$.sort[0]',
    message: /cannot be sorted/,
    hint: /short value/,
  },
  {
    what: 'an unknown field in the filters',
    thing: sample({ filters: ['nmae'] }),
    path: '$.filters[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a filter by rows',
    thing: sample({ filters: ['lines'] }, { lines: rows({ a: text }) }),
    path: '$.filters[0]',
    message: /cannot be filtered/,
    hint: /short value/,
  },
  {
    what: 'an unknown field in the form',
    thing: sample({ form: { sections: [{ fields: ['code', 'nmae'] }] } }),
    path: '$.form.sections[0].fields[1]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'an unknown field in a tab',
    thing: sample({ form: { tabs: [{ title: 'A', sections: [{ fields: ['nmae'] }] }] } }),
    path: '$.form.tabs[0].sections[0].fields[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a field twice in the form',
    thing: sample({ form: { sections: [{ fields: ['code'] }, { fields: ['code'] }] } }),
    path: '$.form.sections[1].fields[0]',
    message: /stands twice/,
    hint: /Leave one/,
  },
  {
    what: 'tabs beside sections',
    thing: sample({ form: { tabs: [], sections: [] } }),
    path: '$.form',
    message: /./,
    hint: /./,
    count: 3,
  },
  {
    what: 'two tabs of one name',
    thing: sample({
      form: {
        tabs: [
          { title: 'A', sections: [{ fields: ['code'] }] },
          { title: 'A', sections: [{ fields: ['name'] }] },
        ],
      },
    }),
    path: '$.form.tabs[1].title',
    message: /Two tabs/,
    hint: /own title/,
  },
  {
    what: 'a unique key over a field that is not there',
    thing: sample({ unique: [['code'], ['cdoe', 'name']] }),
    path: '$.unique[1][0]',
    message: /no field "cdoe"/,
    hint: /"code"/,
  },
  {
    what: 'a unique key that is not a list',
    thing: sample({ unique: ['code'] }),
    path: '$.unique[0]',
    message: /must be a list/,
    hint: /./,
  },
  { what: 'an empty key', thing: sample({ unique: [[]] }), path: '$.unique[0]', message: /is empty/, hint: /./ },
  {
    what: 'a key over a picture',
    thing: sample({ unique: [['photo']] }, { photo: { $ref: 'types#image' } }),
    path: '$.unique[0][0]',
    message: /cannot be part of a key/,
    hint: /short value/,
  },
  {
    what: 'an index over a field that is not there',
    thing: sample({ index: [['cdoe']] }),
    path: '$.index[0][0]',
    message: /no field "cdoe"/,
    hint: /"code"/,
  },
  {
    what: 'a number in a field that is not there',
    thing: sample({ number: { field: 'no', pattern: 'N{0000}' } }),
    path: '$.number.field',
    message: /no field "no"/,
    hint: /There are|Did you/,
  },
  {
    what: 'a number in an amount',
    thing: sample({ number: { field: 'price', pattern: 'N{0000}' } }, { price: money }),
    path: '$.number.field',
    message: /cannot hold a number by pattern/,
    hint: /text field/,
  },
  {
    what: 'a number without a counter',
    thing: sample({ number: { field: 'code', pattern: 'A/{fy}' } }),
    path: '$.number.pattern',
    message: /no counter/,
    hint: /\{0000\}/,
  },
  {
    what: 'a number with an unknown part',
    thing: sample({ number: { field: 'code', pattern: '{year}/{0000}' } }),
    path: '$.number.pattern',
    message: /"\{year\}" means nothing/,
    hint: /\{yyyy\}/,
  },
  {
    what: 'validity by a field that is not there',
    thing: sample({ valid: { from: 'start', to: 'until', key: ['code'] } }, { until: date }),
    path: '$.valid.from',
    message: /no field "start"/,
    hint: /There are/,
  },
  {
    what: 'validity by a text',
    thing: sample({ valid: { from: 'start', to: 'until', key: ['code'] } }, { start: text, until: date }),
    path: '$.valid.from',
    message: /ranges are of dates/,
    hint: /types#date/,
  },
  {
    what: 'validity per a field that is not there',
    thing: sample({ valid: { from: 'start', to: 'until', key: ['item'] } }, { start: date, until: date }),
    path: '$.valid.key[0]',
    message: /no field "item"/,
    hint: /There are|Did you/,
  },
  {
    what: 'a default of whoever adds for another type',
    thing: sample({}, { other_id: ref('other', { 'x-default': 'me' }) }),
    beside: { other: sample() },
    path: '$.schema.properties.other_id.x-default',
    message: /no user and no employee/,
    hint: /Leave it out/,
  },
  {
    what: 'one’s own by a text',
    thing: sample({ mine: ['name'] }),
    path: '$.mine[0]',
    message: /nothing of whose a record is/,
    hint: /"employee"/,
  },
  {
    what: 'one’s own by a field that is not there',
    thing: sample({ mine: ['who_id'] }),
    path: '$.mine[0]',
    message: /no field "who_id"/,
    hint: /There are/,
  },
  {
    what: 'personal records shared with no person',
    thing: sample(
      { personal: { owner: 'owner_id', shared: { with: ['state'], when: { state: 'x' } } } },
      { owner_id: ref('users'), state: { enum: ['x'] } },
    ),
    beside: { users: sample() },
    path: '$.personal.shared.with[0]',
    message: /refers to no user/,
    hint: /x-ref/,
  },
  {
    what: 'personal records shared with no person of the record that they refer to',
    thing: sample(
      {
        personal: {
          owner: 'owner_id',
          shared: [
            { with: ['owner_id'], when: { state: 'x' } },
            { with: ['unit_id.name'], when: { state: 'x' }, action: 'MANAGE_BOARD' },
          ],
        },
      },
      { owner_id: ref('users'), unit_id: ref('unit'), state: { enum: ['x'] } },
    ),
    beside: { users: sample(), unit: sample() },
    path: '$.personal.shared[1].with[0]',
    message: /"unit_id\.name" leads to no user/,
    hint: /x-ref/,
  },
  {
    what: 'personal records by a value that is none',
    thing: sample(
      { personal: { owner: 'owner_id', when: { state: 'mine' } } },
      { owner_id: ref('users'), state: { enum: ['x'] } },
    ),
    beside: { users: sample() },
    path: '$.personal.when.state',
    message: /not a value of "state"/,
    hint: /one of its values/,
  },
  {
    what: 'a key with empties by a field that is not there',
    thing: sample({ uniqueEmpty: [['zone']] }),
    path: '$.uniqueEmpty[0][0]',
    message: /no field "zone"/,
    hint: /Did you mean/,
  },
  {
    what: 'a key under a condition that no index can decide',
    thing: sample({ unique: [{ key: ['code'], when: ['name', 'contains', 'x'] }] }),
    path: '$.unique[0].when',
    message: /cannot ask whether "name" is "contains"/,
    hint: /eq, ne, in/,
  },
  {
    what: 'a key under a condition by a field that is not there',
    thing: sample({ unique: [{ key: [], when: ['nmae', 'eq', 'x'] }] }),
    path: '$.unique[0].when',
    message: /no field "nmae"/,
    hint: /is_default/,
  },
  {
    what: 'bands of dates',
    thing: sample({ bands: { from: 'start', to: 'until' } }, { start: date, until: { $ref: 'types#integer' } }),
    path: '$.bands.from',
    message: /bands are of numbers/,
    hint: /"valid"/,
  },
  {
    what: 'bands with one field for both ends',
    thing: sample({ bands: [{ from: 'level', to: 'level' }] }, { level: { $ref: 'types#integer' } }),
    path: '$.bands[0].to',
    message: /two fields/,
    hint: /its end/,
  },
  {
    what: 'a range by rows that are not there',
    thing: sample({ valid: { rows: 'lines', from: 'start', to: 'until' } }),
    path: '$.valid.rows',
    message: /no field "lines"/,
    hint: /./,
  },
  {
    what: 'x-bands of an unknown column',
    thing: sample(
      {},
      { lines: { ...rows({ level: { $ref: 'types#integer' } }), 'x-bands': { from: 'levle', to: 'level' } } },
    ),
    path: '$.schema.properties.lines.x-bands.from',
    message: /no field "levle"/,
    hint: /"level"/,
  },
  {
    what: 'x-bands without child rows',
    thing: sample({}, { level: { ...text, 'x-bands': { from: 'level', to: 'level' } } }),
    path: '$.schema.properties.level.x-bands',
    message: /"level" has no child rows/,
    hint: /"bands"/,
  },
  {
    what: 'a camera beside no boolean field',
    thing: sample({}, { photo: { $ref: 'types#image', 'x-camera': { only: 'camera_onyl' } }, camera_only: yes }),
    path: '$.schema.properties.photo.x-camera.only',
    message: /no field "camera_onyl"/,
    hint: /"camera_only"/,
  },
  {
    what: 'a camera for a text',
    thing: sample({}, { level: { ...text, 'x-camera': { place: true } } }),
    path: '$.schema.properties.level.x-camera',
    message: /"level" is no picture/,
    hint: /x-camera/,
  },
  {
    what: 'a tree by a field that is not there',
    thing: sample({ tree: { parent: 'parent' } }),
    path: '$.tree.parent',
    message: /no field "parent"/,
    hint: /There are/,
  },
  {
    what: 'a tree by a reference to another type',
    thing: sample({ tree: { parent: 'other_id' } }, { other_id: ref('other') }),
    beside: { other: sample() },
    path: '$.tree.parent',
    message: /does not refer to thing itself/,
    hint: /"x-ref": "thing"/,
  },
  {
    what: 'a view by an unknown field',
    thing: sample({ views: [{ name: 'Open', filter: ['stat', 'eq', 'open'] }] }),
    path: '$.views[0].filter',
    message: /no field "stat"/,
    hint: /operators/,
  },
  {
    what: 'a view by a wrong operator',
    thing: sample({ views: [{ name: 'Dear', filter: ['price', 'starts', '1'] }] }, { price: money }),
    path: '$.views[0].filter',
    message: /"starts" does not fit/,
    hint: /operators/,
  },
  {
    what: 'a view with an unknown column',
    thing: sample({ views: [{ name: 'Open', columns: ['nmae'] }] }),
    path: '$.views[0].columns[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a view with an unknown order',
    thing: sample({ views: [{ name: 'Open', sort: ['-nmae'] }] }),
    path: '$.views[0].sort[0]',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'an action under a condition on an unknown field',
    thing: sample({ actions: [{ title: 'Send', call: 'send', when: "stat == 'x'" }] }),
    path: '$.actions[0].when',
    message: /no field "stat"|no field/,
    hint: /./,
  },
  {
    what: 'two actions of one name',
    thing: sample({
      actions: [
        { title: 'Send', call: 'send' },
        { title: 'Send', to: '/x/:id' },
      ],
    }),
    path: '$.actions[1].title',
    message: /Two actions/,
    hint: /own words/,
  },
  {
    what: 'an action in the row that depends on a condition',
    thing: sample({ actions: [{ title: 'Open', to: '/x/:id', inRow: true, when: "name == 'x'" }] }),
    path: '$.actions[0].inRow',
    message: /depends on nothing but its values/,
    hint: /without "when"/,
  },
  {
    what: 'a tab that opens another list and has a filter too',
    thing: sample({ views: [{ name: 'Open', opens: 'thing', filter: ['name', 'eq', 'x'] }] }),
    path: '$.views[0]',
    message: /has nothing else/,
    hint: /"name" and "opens"/,
  },
  {
    what: 'two views of one name',
    thing: sample({ views: [{ name: 'Open' }, { name: 'Open' }] }),
    path: '$.views[1].name',
    message: /Two views/,
    hint: /own name/,
  },
  {
    what: 'a wrong address',
    thing: sample({ routes: { landing: 'thing' } }),
    path: '$.routes.landing',
    message: /"thing" is not an address/,
    hint: /begin with \//,
    count: 4,
  },
  {
    what: 'two addresses alike',
    thing: sample({ routes: { landing: '/other' } }),
    beside: { other: sample() },
    path: '$.routes.landing',
    message: /taken by other \(landing\)/,
    hint: /another address/,
    count: 4,
  },
  {
    what: 'two addresses that differ by the name of a parameter',
    thing: sample({ routes: { view: '/other/view/:code' } }),
    beside: { other: sample() },
    path: '$.routes.view',
    message: /taken by other \(view\)/,
    hint: /another address/,
  },
  {
    what: 'an older address that is taken',
    thing: sample({ sameAs: { '/other': 'landing' } }),
    beside: { other: sample() },
    path: '$.sameAs["/other"]',
    message: /taken by other/,
    hint: /another address/,
  },
  {
    what: 'an older address of no page',
    thing: sample({ sameAs: { '/old': 'list' } }),
    path: '$.sameAs["/old"]',
    message: /"list" is not a page/,
    hint: /landing/,
  },
  {
    what: 'a page to read at the address of another page',
    thing: sample({ routes: { add: '/thing/one', edit: '/thing/one', view: '/thing/one' } }),
    path: '$.routes.view',
    message: /taken by thing \(edit\)/,
    hint: /another address/,
  },
  {
    what: 'an address to edit that another screen adds at',
    thing: sample({ routes: { edit: '/other/add' } }),
    beside: { other: sample() },
    path: '$.routes.edit',
    message: /taken by other \(add\)/,
    hint: /another address/,
  },
  {
    what: 'an older address with a parameter that is no field',
    thing: sample({ sameAs: { '/things/:colour': 'landing' } }),
    path: '$.sameAs["/things/:colour"]',
    message: /":colour" is not a field/,
    hint: /filtered/,
  },
  {
    what: 'an approval asked for by steps to different states',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, held: {}, done: {} },
        transitions: {
          ask: { from: ['open'], to: 'held' },
          hurry: { from: ['open'], to: 'done' },
          agree: { from: ['held'], to: 'done' },
          back: { from: ['held', 'done'], to: 'open' },
        },
      },
      approval: { asks: ['ask', 'hurry'], approved: 'agree' },
    }),
    path: '$.approval.asks',
    message: /different states/,
    hint: /one state/,
  },
  {
    what: 'an approval asked for on behalf of nobody',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, held: {}, done: {} },
          transitions: {
            ask: { from: ['open'], to: 'held' },
            agree: { from: ['held'], to: 'done' },
            back: { from: ['held', 'done'], to: 'open' },
          },
        },
        approval: { asks: 'ask', approved: 'agree', requester: 'remark' },
      },
      { remark: text },
    ),
    path: '$.approval.requester',
    message: /does not name a person/,
    hint: /a user or to an employee/,
  },
  {
    what: 'two views that open with the list',
    thing: sample({
      views: [
        { name: 'One', first: true },
        { name: 'Two', first: true },
      ],
    }),
    path: '$.views[1].first',
    message: /Another view opens/,
    hint: /one of them/,
  },
  {
    what: 'an action for people that no relation names',
    thing: sample({ actions: [{ title: 'Approve', call: 'approve', who: ['boss'] }] }),
    path: '$.actions[0].who',
    message: /no relation "boss"/,
    hint: /./,
  },
  {
    what: 'a workflow from an unknown state',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['opne'], to: 'done' } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.from',
    message: /no state "opne"/,
    hint: /"open"/,
  },
  {
    what: 'a workflow to an unknown state',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done' }, stop: { from: ['open'], to: 'doen' } },
      },
    }),
    path: '$.workflow.transitions.stop.to',
    message: /no state "doen"/,
    hint: /"done"/,
  },
  {
    what: 'a state that nothing leads to',
    thing: sample(
      { workflow: { field: 'state', states: { open: {}, done: {} }, transitions: { stay: { from: ['open'] } } } },
      { note: text },
    ),
    path: '$.workflow.states.done',
    message: /No transition leads to "done"/,
    hint: /leave the state out/,
  },
  {
    what: 'a guard whose message names a field that is not there',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: {
          finish: { from: ['open'], to: 'done', guard: [{ assert: 'code != null', message: 'Not for {cdoe}.' }] },
        },
      },
    }),
    path: '$.workflow.transitions.finish.guard[0].message',
    message: /There is no field "cdoe"/,
    hint: /Did you mean "code"/,
  },
  {
    what: 'a workflow whose field is there already',
    thing: sample(
      {
        workflow: {
          field: 'note',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done' } },
        },
      },
      { note: text },
    ),
    path: '$.schema.properties.note',
    message: /made by "workflow"/,
    hint: /out of the properties/,
  },
  {
    what: 'a transition that is taken by an unknown relation',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done', who: ['!buyer'] } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.who[0]',
    message: /not a relation/,
    hint: /requester/,
  },
  {
    what: 'a decision that is usually taken by a role',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: {
            end: {
              from: ['open'],
              to: 'done',
              right: { page: 'approval_screen' },
              who: ['!requester'],
              decides: ['role:BUYER'],
            },
          },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.decides[0]',
    message: /not a relation/,
    hint: /Name a relation/,
  },
  {
    what: 'usual approvers of a transition that decides no request',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done', decides: ['requester'] } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.decides',
    message: /does not decide a request/,
    hint: /"who" and "right"/,
  },
  {
    what: 'a transition that asks for an unknown field',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done', ask: ['nte!'] } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.ask',
    message: /no field "nte"/,
    hint: /"note"/,
  },
  {
    what: 'a transition that asks for the state',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done' }, note: { from: ['open'], ask: ['state'] } },
      },
    }),
    path: '$.workflow.transitions.note.ask',
    message: /state is set by "to"/,
    hint: /Leave it out/,
  },
  {
    what: 'an amount for deputies that is none',
    thing: sample(
      {
        workflow: {
          field: 'state',
          amount: 'note',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done' } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.amount',
    message: /"note" is not an amount/,
    hint: /amount or a number/,
  },
  {
    what: 'a fill of a formula',
    thing: sample(
      { fills: [{ run: 'desk.twice', on: ['price'], sets: ['twice'] }] },
      { price: money, twice: { ...money, 'x-formula': 'price * 2' } },
    ),
    path: '$.fills[0].sets[0]',
    message: /"twice" is computed by a formula/,
    hint: /Leave it out/,
  },
  {
    what: 'a fill that depends on an unknown column',
    thing: sample(
      { fills: [{ run: 'desk.rate', on: ['lines.itm'], sets: ['lines.rate'] }] },
      { lines: rows({ item: text, rate: money }) },
    ),
    path: '$.fills[0].on[0]',
    message: /"lines" has no column "itm"/,
    hint: /"item"/,
  },
  {
    what: 'a field that two fills set',
    thing: sample(
      {
        fills: [
          { run: 'desk.rate', on: ['code'], sets: ['price'] },
          { run: 'desk.price', on: ['name'], sets: ['price'] },
        ],
      },
      { price: money },
    ),
    path: '$.fills[1].sets[0]',
    message: /filled by "desk.rate" already/,
    hint: /one of them/,
  },
  {
    what: 'a transition that refills what no fill says',
    thing: sample({
      fills: [{ run: 'desk.rate', on: ['code'], sets: ['name'] }],
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done', refill: ['desk.rat'] } },
      },
    }),
    path: '$.workflow.transitions.end.refill[0]',
    message: /"fills" has no "desk.rat"/,
    hint: /"desk.rate"/,
  },
  {
    what: 'an action on rows that are not there',
    thing: sample(
      { actions: [{ title: 'Spread', run: 'desk.spread', on: 'rows:lnes' }] },
      { lines: rows({ item: text }) },
    ),
    path: '$.actions[0].on',
    message: /"lnes" is not a field with child rows/,
    hint: /"lines"/,
  },
  {
    what: 'an action on a list under a condition',
    thing: sample({ actions: [{ title: 'Remind', run: 'desk.remind', on: 'list', when: "code == 'A'" }] }),
    path: '$.actions[0].when',
    message: /in no state/,
    hint: /Leave "when" out/,
  },
  {
    what: 'an action that asks as a call does',
    thing: sample({ actions: [{ title: 'Remind', run: 'desk.remind', ask: { why: 'Why?' } }] }),
    path: '$.actions[0].ask',
    message: /"ask" is of "call"/,
    hint: /"params"/,
  },
  {
    what: 'a step by date that would be due again at once',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done' }, nag: { from: ['open'], auto: { date: 'due_on' } } },
        },
      },
      { due_on: date },
    ),
    path: '$.workflow.transitions.nag.auto',
    message: /due again/,
    hint: /not in "from"/,
  },
  {
    what: 'a step by a date that is none',
    thing: sample(
      {
        workflow: {
          field: 'state',
          states: { open: {}, done: {} },
          transitions: { end: { from: ['open'], to: 'done', auto: [{ date: 'note', after: 2 }] } },
        },
      },
      { note: text },
    ),
    path: '$.workflow.transitions.end.auto[0].date',
    message: /"note" is of type text/,
    hint: /a date, or a moment/,
  },
  {
    what: 'a step by an event that never happens',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done', auto: { event: 'other.creatd', record: 'thing_id' } } },
      },
    }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.workflow.transitions.end.auto.event',
    message: /Nothing of that name happens to other/,
    hint: /"created"/,
  },
  {
    what: 'a step by an event of a record that leads elsewhere',
    thing: sample({
      workflow: {
        field: 'state',
        states: { open: {}, done: {} },
        transitions: { end: { from: ['open'], to: 'done', auto: { event: 'other.created', record: 'above_id' } } },
      },
    }),
    beside: { other: sample({}, { above_id: ref('other') }) },
    path: '$.workflow.transitions.end.auto.record',
    message: /"above_id" leads to other/,
    hint: /to thing/,
  },
  {
    what: 'a clock of a state that is not there',
    thing: sample({ workflow: twoStates, clocks: { restore: { runs: ['opn'] } } }),
    path: '$.clocks.restore.runs',
    message: /no state "opn"/,
    hint: /"open"/,
  },
  {
    what: 'a clock without states',
    thing: sample({ clocks: { restore: { runs: ['open'] } } }),
    path: '$.clocks.restore',
    message: /in states of a workflow/,
    hint: /"workflow"/,
  },
  {
    what: 'a share of a target that a clock has not got',
    thing: sample({ workflow: twoStates, clocks: { restore: { runs: ['open'], bands: { late: '100%' } } } }),
    path: '$.clocks.restore.bands.late',
    message: /no target/,
    hint: /minutes/,
  },
  {
    what: 'a target of a module that nothing sets anew',
    thing: sample({ workflow: twoStates, clocks: { restore: { runs: ['open'], target: 'desk.minutes' } } }),
    path: '$.clocks.restore.target',
    message: /Nothing sets this target anew/,
    hint: /"on"/,
  },
  {
    what: 'a clock that begins with a text',
    thing: sample({ workflow: twoStates, clocks: { restore: { runs: ['open'], from: 'note' } } }, { note: text }),
    path: '$.clocks.restore.from',
    message: /"note" is of type text/,
    hint: /a moment/,
  },
  {
    what: 'a field that a clock makes',
    thing: sample(
      { workflow: twoStates, clocks: { restore: { runs: ['open'], target: { minutes: 60 } } } },
      { restore_by: date },
    ),
    path: '$.schema.properties.restore_by',
    message: /made by "clocks"/,
    hint: /Take it out/,
  },
  {
    what: 'a board by an unknown field',
    thing: sample({ looks: { board: { by: 'stat' } } }, { state: { enum: ['open', 'done'] } }),
    path: '$.looks.board.by',
    message: /no field "stat"/,
    hint: /"state"/,
  },
  {
    what: 'a board of states whose cards are dropped by something else',
    thing: sample({ workflow: twoStates, looks: { board: { by: 'state', drop: 'end' } } }),
    path: '$.looks.board.drop',
    message: /columns are the states/,
    hint: /Leave "drop" out/,
  },
  {
    what: 'a board that marks what is late by a text',
    thing: sample({ looks: { board: { by: 'state', late: 'name' } } }, { state: { enum: ['open', 'done'] } }),
    path: '$.looks.board.late',
    message: /a day, a moment or a clock/,
    hint: /date or datetime or clock/,
  },
  {
    what: 'a board whose cards are dropped by an action that asks no such thing',
    thing: sample(
      {
        actions: [{ title: 'Hand over', run: 'test.hand_over', params: { properties: { note: text } } }],
        looks: { board: { by: 'state', drop: 'test.hand_over' } },
      },
      { state: { enum: ['open', 'done'] } },
    ),
    path: '$.looks.board.drop',
    message: /"test.hand_over" does not ask "state"/,
    hint: /one parameter like that field/,
  },
  {
    what: 'a calendar by a text',
    thing: sample({ looks: { calendar: { date: 'name' } } }),
    path: '$.looks.calendar.date',
    message: /"name" is of type name/,
    hint: /date or datetime/,
  },
  {
    what: 'a calendar that is moved by a transition which asks no day',
    thing: sample({ workflow: twoStates, looks: { calendar: { date: 'due_on', move: 'end' } } }, { due_on: date }),
    path: '$.looks.calendar.move',
    message: /"end" does not ask "due_on"/,
    hint: /"ask": \["due_on!"\]/,
  },
  {
    what: 'a calendar that is moved by what is not there',
    thing: sample({ workflow: twoStates, looks: { calendar: { date: 'due_on', move: 'later' } } }, { due_on: date }),
    path: '$.looks.calendar.move',
    message: /no transition "later"/,
    hint: /"edit", or the name of a transition/,
  },
  {
    what: 'a calendar that edits a computed day',
    thing: sample(
      { looks: { calendar: { date: 'ends_on', move: 'edit' } } },
      { due_on: date, ends_on: { ...date, 'x-formula': 'add_days(due_on, 1)' } },
    ),
    path: '$.looks.calendar.move',
    message: /"ends_on" cannot be edited/,
    hint: /leave this out/,
  },
  {
    what: 'a timeline that ends in a text',
    thing: sample({ looks: { timeline: { from: 'due_on', to: 'name' } } }, { due_on: date }),
    path: '$.looks.timeline.to',
    message: /"name" is of type name/,
    hint: /of the type date/,
  },
  {
    what: 'a timeline in lanes of an amount',
    thing: sample(
      { looks: { timeline: { from: 'due_on', to: 'ends_on', lane: 'paid' } } },
      { due_on: date, ends_on: date, paid: money },
    ),
    path: '$.looks.timeline.lane',
    message: /"paid" is of type money/,
    hint: /ref or enum/,
  },
  {
    what: 'a map of texts',
    thing: sample({ looks: { map: { at: 'name' } } }),
    path: '$.looks.map.at',
    message: /"name" is of type name/,
    hint: /of the type geo/,
  },
  {
    what: 'a map in the order of places',
    thing: sample({ looks: { map: { at: 'place', order: 'place' } } }, { place: { $ref: 'types#geo' } }),
    path: '$.looks.map.order',
    message: /"place" cannot be sorted by/,
    hint: /number/,
  },
  {
    what: 'steps of what has none',
    thing: sample({ looks: { steps: { card: ['name'] } } }),
    path: '$.looks.steps',
    message: /without a workflow/,
    hint: /Write "workflow"/,
  },
  {
    what: 'a tree with a preview of what does not refer to it',
    thing: sample({ looks: { tree_preview: { levels: { other: 'code' } } } }),
    beside: { other: sample({ access: { screen: 'SCN_OTHER' } }) },
    path: '$.looks.tree_preview.levels.other',
    message: /"code" of other does not refer to thing/,
    hint: /"x-ref": "thing"/,
  },
  {
    what: 'a conversation in a text',
    thing: sample({ looks: { thread: { posts: 'name' } } }),
    path: '$.looks.thread.posts',
    message: /"name" has no rows/,
    hint: /"items"/,
  },
  {
    what: 'a conversation whose rows need what its box does not ask',
    thing: sample(
      { looks: { thread: { posts: 'calls' } } },
      { calls: { type: 'array', items: { type: 'object', required: ['n'], properties: { note: text, n: money } } } },
    ),
    path: '$.looks.thread.posts',
    message: /"n" must be filled/,
    hint: /"default"/,
  },
  {
    what: 'a board that adds up texts',
    thing: sample(
      { looks: { board: { by: 'state', sum: 'note' } } },
      { state: { enum: ['open', 'done'] }, note: text },
    ),
    path: '$.looks.board.sum',
    message: /cannot be added up/,
    hint: /amount/,
  },
  {
    what: 'cards with an unknown field',
    thing: sample(
      { looks: { board: { by: 'state', card: ['nte'] } } },
      { state: { enum: ['open', 'done'] }, note: text },
    ),
    path: '$.looks.board.card[0]',
    message: /no field "nte"/,
    hint: /"note"/,
  },
  {
    what: 'a library that is not there',
    thing: sample({ library: { from: 'shel', origin: 'code', map: { name: 'name' } } }),
    beside: { shelf: sample({ scope: 'platform' }) },
    path: '$.library.from',
    message: /no record type "shel"/,
    hint: /"shelf"/,
  },
  {
    what: 'a library of a client',
    thing: sample({ library: { from: 'shelf', origin: 'code', map: { name: 'name' } } }),
    beside: { shelf: sample() },
    path: '$.library.from',
    message: /cannot take records from "shelf"/,
    hint: /"platform"/,
  },
  {
    what: 'a library into an unknown field',
    thing: sample({ library: { from: 'shelf', origin: 'code', map: { nmae: 'name' } } }),
    beside: { shelf: sample({ scope: 'platform' }) },
    path: '$.library.map.nmae',
    message: /no field "nmae"/,
    hint: /"name"/,
  },
  {
    what: 'a library from an unknown field',
    thing: sample({ library: { from: 'shelf', origin: 'code', map: { name: 'title' } } }),
    beside: { shelf: sample({ scope: 'platform' }) },
    path: '$.library.map.name',
    message: /no field "title"/,
    hint: /There are/,
  },
  {
    what: 'a library whose origin is kept in a number',
    thing: sample({ library: { from: 'shelf', origin: 'price', map: { name: 'name' } } }, { price: money }),
    beside: { shelf: sample({ scope: 'platform' }) },
    path: '$.library.origin',
    message: /cannot keep a code/,
    hint: /text/,
  },
  {
    what: 'a library with a reference to a list that comes from none',
    thing: sample({ library: { from: 'shelf', origin: 'code', map: { up_id: 'up_id' } } }, { up_id: ref('box') }),
    beside: { shelf: sample({ scope: 'platform' }, { up_id: ref('shelf') }), box: sample() },
    path: '$.library.map.up_id',
    message: /does not fit "up_id"/,
    hint: /"box" needs a "library"/,
  },
  {
    what: 'a count of a type that is not there',
    thing: sample({ counts: { parts: { of: 'othr', by: 'thing_id' } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.counts.parts.of',
    message: /no record type "othr"/,
    hint: /"other"/,
  },
  {
    what: 'a count by a field that is not there',
    thing: sample({ counts: { parts: { of: 'other', by: 'thingid' } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.counts.parts.by',
    message: /no field "thingid" of other/,
    hint: /"thing_id"/,
  },
  {
    what: 'a count by a reference to something else',
    thing: sample({ counts: { parts: { of: 'other', by: 'above_id' } } }),
    beside: { other: sample({}, { above_id: ref('other') }) },
    path: '$.counts.parts.by',
    message: /does not refer to thing/,
    hint: /"x-ref": "thing"/,
  },
  {
    what: 'a count of records of the platform',
    thing: sample({ counts: { parts: { of: 'other', by: 'thing_id' } } }),
    beside: { other: sample({ scope: 'platform' }, { thing_id: ref('thing') }) },
    path: '$.counts.parts.of',
    message: /not kept where thing is/,
    hint: /same client/,
  },
  {
    what: 'a count by a filter that does not fit',
    thing: sample({ counts: { parts: { of: 'other', by: 'thing_id', filter: ['nothing', 'eq', 1] } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.counts.parts.filter',
    message: /no field "nothing"/,
    hint: /docs\/descriptors\.md/,
  },
  {
    what: 'a count under the name of a field',
    thing: sample({ counts: { name: { of: 'other', by: 'thing_id' } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.counts.name',
    message: /is a field already/,
    hint: /another name/,
  },
  {
    what: 'a filter by a count',
    thing: sample({ counts: { parts: { of: 'other', by: 'thing_id' } }, filters: ['parts'] }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.filters[0]',
    message: /no field "parts"/,
    hint: /code/,
  },
  {
    what: 'a hierarchy at an address that is taken',
    thing: sample({ hierarchy: { route: '/other', title: 'All', levels: { other: 'thing_id' } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.hierarchy.route',
    message: /taken by other/,
    hint: /another address/,
    count: 2,
  },
  {
    what: 'an act without a network that is none',
    thing: sample({ workflow: twoStates, offline: { does: ['create', 'ends'] } }),
    path: '$.offline.does[1]',
    message: /no transition "ends"/,
    hint: /end/,
  },
  {
    what: 'people to notify of a refused act who are in no relation',
    thing: sample({ relations: { writer: 'created_by' }, offline: { does: ['create'], notify: ['write'] } }),
    path: '$.offline.notify[0]',
    message: /no relation "write"/,
    hint: /writer/,
  },
  {
    what: 'rows added without a network to what has none',
    thing: sample({ offline: { does: ['rows:name'] } }, { photos: rows({ note: text }) }),
    path: '$.offline.does[0]',
    message: /"name" has no rows that are saved with the record/,
    hint: /rows:photos/,
  },
  {
    what: 'rows added without a network that nobody may add',
    thing: sample({ offline: { does: ['rows:photos'] } }, { photos: { ...rows({ note: text }), readOnly: true } }),
    path: '$.offline.does[0]',
    message: /"photos" is read-only/,
    hint: /Name another/,
  },
  {
    what: 'records kept for the road by a filter and a reference at once',
    thing: sample(
      {
        offline: {
          does: ['change'],
          packet: [{ type: 'thing', filter: ['code', 'eq', 'A'], via: 'up_id' }],
        },
      },
      { up_id: ref('thing') },
    ),
    path: '$.offline.packet[0]',
    message: /"filter" or "via", not both/,
    hint: /Leave one/,
  },
  {
    what: 'records kept for the road by a reference to others',
    thing: sample({ offline: { does: ['change'], packet: [{ type: 'thing', via: 'name' }] } }),
    path: '$.offline.packet[0].via',
    message: /"name" does not refer to "thing"/,
    hint: /refers to this type/,
  },
  {
    what: 'a hierarchy over a type that is not there',
    thing: sample({ hierarchy: { route: '/all', title: 'All', levels: { othr: 'thing_id' } } }),
    beside: { other: sample() },
    path: '$.hierarchy.levels.othr',
    message: /no record type "othr"/,
    hint: /"other"/,
  },
  {
    what: 'a hierarchy by a field that is not there',
    thing: sample({ hierarchy: { route: '/all', title: 'All', levels: { other: 'thingid' } } }),
    beside: { other: sample({}, { thing_id: ref('thing') }) },
    path: '$.hierarchy.levels.other',
    message: /no field "thingid"/,
    hint: /"thing_id"/,
  },
  {
    what: 'a hierarchy by a reference to something else',
    thing: sample({ hierarchy: { route: '/all', title: 'All', levels: { other: 'above_id' } } }),
    beside: { other: sample({}, { above_id: ref('other') }) },
    path: '$.hierarchy.levels.other',
    message: /does not refer to thing/,
    hint: /"x-ref": "thing"/,
  },
  {
    what: 'a hierarchy over the settings',
    thing: sample({ hierarchy: { route: '/all', title: 'All', levels: { other: 'thing_id' } } }),
    beside: { other: sample({ kind: 'settings' }, { thing_id: ref('thing') }) },
    path: '$.hierarchy.levels.other',
    message: /cannot stand below thing/,
    hint: /another type/,
  },
  {
    what: 'nothing that names a record',
    thing: sample({ label: [] }),
    path: '$.label',
    message: /is empty/,
    hint: /./,
  },
];

describe('schema:check refuses', () => {
  for (const { what, thing, beside = {}, path, message, hint, count = 1 } of refusals)
    it(what, () => {
      const { screens, problems } = compile({ ...beside, thing });
      const own = problems.filter((problem) => problem.file === 'schemas/test/thing.json');
      const found = own.find((problem) => problem.path === path);
      expect(found, JSON.stringify(problems, null, 2)).toBeDefined();
      expect(found!.message).toMatch(message);
      expect(found!.hint).toMatch(hint);
      expect(own.length, JSON.stringify(own, null, 2)).toBeLessThanOrEqual(count);
      expect(found!.line).toBeGreaterThan(0);
      expect(screens.has('thing')).toBe(false);
    });

  it('invalid JSON, with the line', () => {
    const { problems } = compileScreens(
      [file('thing', '{\n  "kind": "master",\n  "title": "Thing"\n  "access": {}\n}')],
      types,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 4, path: '$', message: expect.stringContaining('not JSON') });
  });

  it('invalid JSON at the very end', () => {
    const { problems } = compileScreens([file('thing', '{ "kind": "master"')], types);
    expect(problems[0]!.message).toMatch(/not JSON/);
  });

  it('a key that an object has twice, at the line of the second', () => {
    const text = JSON.stringify(sample({}), null, 2).replace('"title":', '"title": "A \\"grid\\": of",\n  "title":');
    const { problems, screens } = compileScreens([file('thing', text)], types);
    expect(problems.map(({ path, message }) => [path, message])).toEqual([
      ['$.title', '"title" is written twice in the same object.'],
    ]);
    const at = text.indexOf('"title":', text.indexOf('"title":') + 1);
    expect(problems[0]!.line).toBe(text.slice(0, at).split('\n').length);
    expect(screens.has('thing')).toBe(false);
  });

  it('a mistake, at its line', () => {
    const text = JSON.stringify(sample({ grid: ['code', 'nmae'] }), null, 2);
    const { problems } = compileScreens([file('thing', text)], types);
    expect(text.split('\n')[problems[0]!.line - 1]).toContain('nmae');
  });

  it('a missing keyword, at the line of its parent', () => {
    const text = JSON.stringify(sample({ rules: [{ assert: 'code != null' }] }), null, 2);
    const { problems } = compileScreens([file('thing', text)], types);
    expect(
      text
        .split('\n')
        .slice(problems[0]!.line - 1)
        .join(''),
    ).toMatch(/^\s*(\{|"rules")/);
  });

  it('duplicate or invalid names', () => {
    for (const name of ['import', 'users_device', 'screens', 'history', 'options'])
      expect(compile({ [name]: sample() }).problems[0]).toMatchObject({
        path: '$',
        message: `The name "${name}" is taken by the product itself.`,
      });
    for (const name of ['Uom', '9lives', 'lift__make', 'lift-make', 'a'.repeat(41)])
      expect(compile({ [name]: sample() }).problems[0]!.message).toMatch(/cannot be a record type's name/);
    for (const name of ['export', 'menu', 'session', 'live', 'files', 'search', 'views', 'rights'])
      expect(RESERVED_NAMES).toContain(name);
  });

  it('unknown functions, where the functions are known', () => {
    const thing = sample(
      { fills: [{ run: 'desk.rat', on: ['code'], sets: ['price'] }] },
      { price: { $ref: 'types#money' } },
    );
    const files = [file('thing', JSON.stringify(thing, null, 2))];
    expect(compileScreens(files, types).problems).toEqual([]);
    expect(compileScreens(files, types, { fills: new Set(['desk.rate']) }).problems).toMatchObject([
      { path: '$.fills[0].run', message: 'There is no function "desk.rat".', hint: expect.stringMatching(/desk.rate/) },
    ]);
  });

  it('two files with one name', () => {
    const text = JSON.stringify(sample());
    const { screens, problems } = compileScreens(
      [file('thing', text, 'fms'), file('thing', text, 'organisation')],
      types,
    );
    expect(problems).toEqual([
      expect.objectContaining({
        file: 'schemas/organisation/thing.json',
        message: expect.stringContaining('schemas/fms/thing.json') as string,
      }),
    ]);
    expect(screens.has('thing')).toBe(true);
  });

  it('a reference to a broken file', () => {
    const { problems } = compileScreens(
      [file('thing', JSON.stringify(sample({}, { other_id: ref('other') }))), file('other', '{')],
      types,
    );
    expect(problems.find((problem) => problem.file.endsWith('thing.json'))).toMatchObject({
      message: '"other" has mistakes of its own.',
      hint: 'Correct that file first.',
    });
  });

  it('only the invalid file: the others still work', () => {
    const { screens, problems } = compile({
      thing: sample({ kind: 'x' }),
      other: sample({ access: { screen: 'SCN_OTHER' } }),
    });
    expect([...screens.keys()]).toEqual(['other']);
    expect(problems).toHaveLength(1);
  });

  it('several mistakes at once', () => {
    const { problems } = compile({
      thing: sample(
        { gird: [], card: ['nmae'], sort: ['x'], unique: [['y']] },
        { price: { $ref: 'types#money', 'x-formula': 'q * 2' } },
      ),
    });
    expect(problems.map((problem) => problem.path)).toEqual([
      '$.gird',
      '$.schema.properties.price.x-formula',
      '$.unique[0][0]',
      '$.card[0]',
      '$.sort[0]',
    ]);
  });
});

describe('typical beginners’ mistakes', () => {
  /** A descriptor by somebody who does not know the product, and what is said of it. */
  const wrong: [string, Sample, RegExp][] = [
    [
      'a value that is not one of the list',
      sample({}, { status: { enum: ['open', 'closed'] }, note: { ...text, 'x-when': "status == 'clsoed'" } }),
      /'clsoed' is not a value of "status".*Did you mean "closed"/,
    ],
    [
      'a number in a date',
      sample({}, { due: { ...date, 'x-formula': 'len(name) * 2' } }),
      /formula gives a number, and "due" is a date.*add_days/,
    ],
    ['a product', sample({ access: { screen: 'SCN_X', product: 'FMSS' } }), /no product "FMSS".*Did you mean "FMS"/],
    ['a module', sample({ access: { screen: 'SCN_X', module: 'FSM' } }), /no module "FSM".*Did you mean "FMS"/],
    ['half an expression', sample({ rules: [{ assert: 'name >', message: 'No.' }] }), /something is missing after ">"/],
    [
      'a bracket left open',
      sample({}, { a: { ...text, 'x-when': "not (name == 'x'" } }),
      /"\(" is not closed|"\)" is missing|cannot be read: [a-z"]/,
    ],
    ['a quote left open', sample({}, { a: { ...text, 'x-when': "name == 'x" } }), /has no second quote/],
    ['a date as people write it', sample({}, { on: { ...date, default: '31-03-2025' } }), /write a date as 2025-03-31/],
    ['an amount as a word', sample({}, { rate: { ...money, default: 'ten' } }), /such as "1500\.00"/],
    ['required at a field', sample({}, { a: { ...text, required: true } }), /"required" must be a list/],
    ['a type of another language', sample({}, { ok: { type: 'bool' } }), /cannot be "bool".*boolean/],
    [
      'a day in place of a moment',
      sample({}, { on: date, h: { type: 'integer', 'x-formula': 'hours_between(on, on)' } }),
      /takes moments.*days_between/,
    ],
  ];
  /** Words of the tools behind the check, which no author knows. */
  const TOOLS =
    /must (NOT|match|have)|instancePath|keyword|Unexpected token|Expected expression|unaryOp|undefined|\[object/;

  for (const [what, thing, said] of wrong)
    it(`${what} is reported in plain words, with the correction`, () => {
      const { problems } = compile({ thing });
      const told = problems.map(({ message, hint }) => `${message} ${hint ?? ''}`).join(' ');
      expect(told).toMatch(said);
      expect(told).not.toMatch(TOOLS);
      for (const { hint } of problems) expect(hint ?? '').not.toBe('');
    });
});

describe('any input', () => {
  const whole = sample(
    {
      plural: 'Things',
      scope: 'entity',
      routes: { landing: '/Thing' },
      sameAs: { '/old': 'landing' },
      label: ['name'],
      unique: [['code']],
      index: [['name']],
      valid: { from: 'a', to: 'b', key: ['code'] },
      rules: [
        { assert: 'a <= b', message: 'No.', field: 'b' },
        { assert: 'qty > 0', message: 'No.', rows: 'lines', field: 'qty' },
      ],
      number: { field: 'no', pattern: '{fy}/{000}' },
      tree: { parent: 'up_id' },
      form: { tabs: [{ title: 'A', sections: [{ title: 'B', help: 'C', columns: 1, fields: ['code'] }] }] },
      grid: ['code', { field: 'name', width: 100, pinned: true }],
      card: ['name'],
      sort: ['-name'],
      filters: ['state'],
      views: [{ name: 'V', filter: ['state', 'eq', 'x'], sort: ['name'], columns: ['code'] }],
      menu: { under: 'home', order: 1, name: 'N', hidden: false },
    },
    {
      no: text,
      a: date,
      b: date,
      up_id: ref('thing'),
      state: { enum: ['x'], default: 'x', 'x-labels': { x: 'X' }, 'x-colours': { x: 'brand' } },
      code2: { ...text, 'x-fetch': 'up_id.code', 'x-when': "state == 'x'", 'x-required-when': "state == 'x'" },
      lines: {
        'x-unique': ['qty'],
        'x-columns': ['qty', 'amount'],
        'x-sections': [{ title: 'All', fields: ['qty'] }],
        ...rows({
          qty: money,
          rate: { ...money, 'x-precision': 2, 'x-unit': 'kg' },
          amount: { ...money, 'x-formula': 'qty * rate' },
        }),
      },
      total: { ...money, 'x-formula': 'sum(lines.amount)' },
      paid_in: { ...text, pattern: '^[A-Z]{3}$' },
      paid: { ...money, 'x-currency': 'paid_in', 'x-readonly': "state == 'x'" },
      made_on: { ...date, 'x-default': 'today()' },
      called: { ...text, 'x-default': "concat(no, '-', code)" },
      code3: { ...text, 'x-fetch': { from: 'up_id.code', while: 'empty' } },
      kind_of: { enum: ['thing'] },
      of_id: { $ref: 'types#record', 'x-ref-by': 'kind_of' },
      print: { ...text, 'x-hidden': true },
      score: { ...money, 'x-visible': 'viewer.requester' },
      chassis: { ...text, 'x-once': true },
      other: ref('thing', { 'x-ref-filter': { up_id: 'up_id', state: { const: 'x' } }, 'x-across-companies': true }),
    },
  );
  /** What a validator says of itself, in no words for people. */
  const RAW =
    /must (NOT|match|have)|must be (equal|object|string|array|integer|boolean|number)|oneOf|schema is invalid/;
  const wrong = [null, true, 0, -1, 'x y', '', [], {}, [null], [[]], { x: {} }];

  /** Every place of a value, and a setter for it. */
  function* places(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
    yield path;
    if (value !== null && typeof value === 'object')
      for (const key of Object.keys(value))
        yield* places((value as Sample)[key], [...path, Array.isArray(value) ? Number(key) : key]);
  }
  function changed(value: unknown, [step, ...rest]: (string | number)[], put: unknown): unknown {
    if (step === undefined) return put;
    if (Array.isArray(value)) return value.with(step as number, changed(value[step as number], rest, put));
    return { ...(value as Sample), [step]: changed((value as Sample)[step], rest, put) };
  }

  it('is right as it stands', () => {
    expect(compile({ thing: whole }).problems).toEqual([]);
  });

  it('never crashes the compiler: any keyword with any value is accepted or refused', () => {
    let refused = 0;
    for (const path of places(whole))
      for (const put of wrong) {
        const { screens, problems } = compile({ thing: changed(whole, path, put) });
        expect(screens.has('thing') || problems.length > 0, `${path.join('.')} = ${JSON.stringify(put)}`).toBe(true);
        if (problems.length > 0) refused++;
        for (const problem of problems)
          expect(problem).toMatchObject({
            line: expect.any(Number) as number,
            path: expect.stringMatching(/^\$/) as string,
            message: expect.not.stringMatching(RAW) as string,
          });
      }
    expect(refused).toBeGreaterThan(1000);
  }, 120_000);
});
