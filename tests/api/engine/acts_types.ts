const text = { $ref: 'types#text', maxLength: 60 };
const money = { $ref: 'types#money' };
const ref = (type: string) => ({ $ref: 'types#ref', 'x-ref': type });

const type = (title: string, screen: string, required: string[], properties: object, more: object) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title,
  scope: 'entity',
  access: { screen, module: 'MASTERS' },
  label: [Object.keys(properties)[0]],
  schema: { required, properties },
  grid: Object.keys(properties).slice(0, 3),
  ...more,
});

/** Made-up types whose transitions do all that transitions can: accounts, bills on them, slips made of bills, offers with revisions. */
export const ACT_TYPES: Record<string, object> = {
  act_account: type(
    'Account',
    'SCN_ACT_ACCOUNT',
    ['name'],
    {
      name: text,
      balance: { ...money, default: '0', readOnly: true },
      last_bill: { ...text, readOnly: true },
      series: text,
    },
    {
      workflow: {
        states: { open: { edit: true }, held: { edit: ['name'] }, gone: { is: 'cancelled' } },
        transitions: {
          hold: { from: ['open'], to: 'held', ask: ['series!'], who: ['did:free'] },
          free: { from: ['held'], to: 'open' },
          close: { from: 'open', to: 'gone' },
          back: { from: ['gone'], to: '<back>' },
        },
      },
    },
  ),
  act_bill: type(
    'Bill',
    'SCN_ACT_BILL',
    ['account_id', 'lines'],
    {
      bill_no: text,
      account_id: ref('act_account'),
      kind: { enum: ['plain', 'other', 'first', 'looks', 'elevates'], default: 'plain' },
      said: { ...text, readOnly: true },
      lines: {
        type: 'array',
        minItems: 1,
        items: { required: ['account_id', 'amount'], properties: { account_id: ref('act_account'), amount: money } },
      },
      total: { ...money, 'x-formula': 'sum(lines.amount)' },
      welcome: { ...money, readOnly: true },
    },
    {
      number: { field: 'bill_no', pattern: 'B{fy}/{0000}', on: 'post' },
      makes: { slip: { to: 'act_slip', title: 'Slip', set: { bill_id: 'id', amount: 'total' } } },
      workflow: {
        insert: {
          guard: [{ 'test_acts.positive': { value: 'total' } }],
          effects: [{ set: { values: { welcome: 'total' } } }],
        },
        states: { draft: {}, posted: { is: 'closed' }, void: { is: 'cancelled' } },
        transitions: {
          post: {
            from: ['draft'],
            to: 'posted',
            when: "kind == 'plain'",
            locks: ['lines.account_id'],
            effects: [
              {
                set: {
                  of: 'lines.account_id',
                  values: { balance: 'target.balance + amount', last_bill: "concat('bill ', id)" },
                },
              },
              { 'test_acts.book': { amount: 'total' } },
              { makes: 'slip' },
              { emit: { event: 'test_acts.booked', payload: { amount: 'total' } } },
              { 'test_acts.number_known': {} },
            ],
          },
          void: { from: ['posted'], to: 'void', reason: 'credit_note', undo: ['post'] },
          freeze: {
            from: ['draft'],
            to: 'posted',
            when: "kind == 'other'",
            effects: [
              {
                move: {
                  of: 'lines.account_id',
                  do: 'hold',
                  input: { series: "concat('H', target.id)" },
                  when: 'amount > 5',
                  back: 'free',
                },
              },
            ],
          },
          thaw: { from: ['posted'], to: 'draft', undo: ['freeze'] },
          first: {
            from: ['draft'],
            to: 'posted',
            when: "kind == 'first'",
            locks: ['account_id'],
            effects: [{ 'test_acts.needs_first': {} }],
          },
          look: { from: ['draft'], to: 'posted', when: "kind == 'looks'", effects: [{ 'test_acts.looks': {} }] },
          elevate: {
            from: ['draft'],
            to: 'posted',
            when: "kind == 'elevates'",
            effects: [{ 'test_acts.elevates': {} }],
          },
        },
      },
    },
  ),
  act_slip: type(
    'Slip',
    'SCN_ACT_BILL',
    ['bill_id'],
    { note: text, bill_id: ref('act_bill'), amount: money },
    {
      workflow: {
        states: { new: {}, sent: { is: 'closed' }, void: { is: 'cancelled' } },
        transitions: { send: { from: ['new'], to: 'sent' }, cancel: { from: ['sent'], to: 'void' } },
      },
    },
  ),
  act_offer: type(
    'Offer of acts',
    'SCN_ACT_BILL',
    ['party', 'place', 'lines', 'valid_from'],
    {
      offer_no: { ...text, maxLength: 30 },
      party: text,
      place: { enum: ['north', 'south'] },
      proforma: { $ref: 'types#boolean' },
      series_id: ref('act_account'),
      paper: { $ref: 'types#file' },
      valid_from: { $ref: 'types#date' },
      valid_to: { $ref: 'types#date' },
      lines: { type: 'array', minItems: 1, items: { required: ['item'], properties: { item: text } } },
      agreed: { ...text, readOnly: true },
    },
    {
      unique: [['party']],
      valid: { from: 'valid_from', to: 'valid_to', key: ['party'] },
      number: {
        field: 'offer_no',
        on: 'accept',
        date: 'valid_from',
        per: ['place'],
        most: 16,
        series: [{ when: 'proforma', pattern: 'PF{fy}/{0000}' }, { pattern: '{series_id.series}/{fy}/{0000}' }],
      },
      workflow: {
        states: { draft: {}, accepted: { is: 'closed' }, replaced: { is: 'closed' }, lost: { is: 'cancelled' } },
        transitions: {
          accept: { from: ['draft'], to: 'accepted', set: { agreed: "'yes'" } },
          drop: { from: ['draft'], to: 'lost' },
          revise: {
            from: ['accepted'],
            to: 'replaced',
            amend: { revision: 'revision', supersede: 'accept', set: { valid_to: 'add_days(copy.valid_from, -1)' } },
          },
        },
      },
    },
  ),
  act_plan: type(
    'Plan of acts',
    'SCN_ACT_BILL',
    ['code', 'kind'],
    { plan_no: text, code: text, kind: text },
    {
      unique: [['code']],
      number: { field: 'plan_no', pattern: '{kind}-{00}', most: 5 },
      workflow: {
        states: { draft: {}, old: { is: 'cancelled' } },
        transitions: { revise: { from: ['draft'], to: 'old', amend: { revision: 'version_no' } } },
      },
    },
  ),
  act_ledger: type(
    'Ledger',
    'SCN_ACT_BILL',
    [],
    { bill: { $ref: 'types#integer' }, amount: money, settled: { $ref: 'types#boolean' } },
    {},
  ),
};
