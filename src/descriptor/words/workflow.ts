import { checkAmend, checkEffects, checkGuards, checkReason, checkUndo } from '../check_acts.ts';
import type { ScreenCheck } from '../check_context.ts';
import { bandEvent } from '../clocks.ts';
import { checkPerson } from '../check_person.ts';
import { compileFields } from '../compile_fields.ts';
import { humanise } from '../fields.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { pathTarget, sharedEffects } from '../shared_effects.ts';
import { didYouMean } from '../source.ts';
import type { Field, FilterExpression, JsonSchema, PageType, Screen } from '../types.ts';
import type {
  Auto,
  AutoEvent,
  DueUnit,
  EditRule,
  GuardUse,
  NamedUse,
  State,
  StateKind,
  Transition,
  Workflow,
} from '../workflow.ts';
import { BACK, COPIED_FROM, IS_CURRENT, isProductsOwn } from '../workflow.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

type WrittenUse = Record<string, Record<string, unknown> | string>;
type WrittenGuard = { assert: string; message: string; field?: string } | WrittenUse;

interface WrittenState {
  title?: string;
  colour?: State['colour'];
  is?: StateKind;
  edit?: boolean | string[] | Record<string, string[]>;
}

type WrittenAuto =
  | { made?: string; unmade?: string; when?: string }
  | { by: string }
  | { date: string; after?: number | string; unit?: DueUnit; when?: string }
  | { event: string; record?: string | { of: string; filter?: FilterExpression } };

interface WrittenTransition {
  from: string[] | string;
  to?: string;
  title?: string;
  icon?: string;
  when?: string;
  right?: { page?: PageType; action?: string };
  who?: string[];
  guard?: WrittenGuard[];
  ask?: string[];
  set?: Record<string, string>;
  refill?: string[];
  effects?: WrittenUse[];
  confirm?: string;
  done?: string;
  reason?: boolean | string;
  bulk?: 'each' | 'all';
  auto?: WrittenAuto | WrittenAuto[];
  undo?: string[];
  locks?: string[];
  amend?: { revision: string; supersede?: string; set?: Record<string, string> };
}

interface WrittenWorkflow {
  field?: string;
  title?: string;
  amount?: string;
  import?: Record<string, string>;
  states: Record<string, WrittenState>;
  transitions: Record<string, WrittenTransition>;
  insert?: { guard?: WrittenGuard[]; effects?: WrittenUse[] };
}

declare module '../types.ts' {
  interface WrittenWords {
    /** States of the records, and the transitions between them. */
    workflow?: WrittenWorkflow;
  }
  interface ScreenWords {
    workflow?: Workflow;
  }
}

const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };
const use = {
  description: 'A function of a module, `{"fms.post_bill": {}}`, with what it is handed.',
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  propertyNames: { pattern: '^[a-z][a-z_]*\\.[a-z][a-z0-9_]*$' },
  additionalProperties: { type: 'object' },
};

const auto = {
  description:
    'A record of that type was made of this one ("made"), none is left ("unmade"), a condition holds after a change ("when"); a day or moment has come ("date"); something happened ("event"); a job or an effect takes it ("by").',
  anyOf: [
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        made: { type: 'string' },
        unmade: { type: 'string' },
        when: { type: 'string', minLength: 1 },
      },
    },
    {
      type: 'object',
      required: ['by'],
      additionalProperties: false,
      properties: {
        by: {
          description: 'The job or the effect that takes it, by its full name: <module>.<name>.',
          type: 'string',
          minLength: 1,
        },
      },
    },
    {
      type: 'object',
      required: ['date'],
      additionalProperties: false,
      properties: {
        date: { description: 'A date or a moment of the record.', type: 'string' },
        after: {
          description: 'So much later, a number or an expression. Default 0.',
          anyOf: [{ type: 'number' }, { type: 'string', minLength: 1 }],
        },
        unit: { description: 'Default days.', enum: ['minutes', 'hours', 'days', 'working_days'] },
        when: { description: 'Only while this holds.', type: 'string', minLength: 1 },
      },
    },
    {
      type: 'object',
      required: ['event'],
      additionalProperties: false,
      properties: {
        event: { description: 'Its full name: <type>.<what happened>, or <module>.<name>.', type: 'string' },
        record: {
          description:
            'Default id: the event is of this record. A path of references from its record, or what refers to that.',
          anyOf: [
            { type: 'string', minLength: 1 },
            {
              type: 'object',
              required: ['of'],
              additionalProperties: false,
              properties: {
                of: { description: "The reference of this type to the event's record.", type: 'string' },
                filter: { description: 'Only records for which this holds.', type: 'array' },
              },
            },
          ],
        },
      },
    },
  ],
};

const guards = {
  description: 'What must hold for the record as it will be.',
  type: 'array',
  items: {
    anyOf: [
      {
        type: 'object',
        required: ['assert', 'message'],
        additionalProperties: false,
        properties: {
          assert: { type: 'string', minLength: 1 },
          message: { type: 'string', minLength: 1 },
          field: { $ref: '#/$defs/fieldName' },
        },
      },
      use,
    ],
  },
};
const effects = {
  description: 'What happens beside, in this order: functions of modules, set, move, makes, emit, notify.',
  type: 'array',
  items: {
    anyOf: [
      use,
      ...Object.entries(sharedEffects).map(([name, { shape }]) => ({
        type: 'object',
        required: [name],
        additionalProperties: false,
        properties: { [name]: shape },
      })),
    ],
  },
};

export const workflow = defineWord<WrittenWorkflow>({
  name: 'workflow',
  on: 'screen',
  shape: {
    description: 'States of the records, and the transitions between them. The word makes the field of the state.',
    type: 'object',
    required: ['states', 'transitions'],
    additionalProperties: false,
    examples: [
      {
        states: { draft: {}, sent: { colour: 'brand' } },
        transitions: { send: { from: ['draft'], to: 'sent', title: 'Send' } },
      },
    ],
    properties: {
      field: { description: 'The field of the state. Default: status.', $ref: '#/$defs/fieldName' },
      title: { description: 'The title of that field. Default: by its name.', type: 'string', minLength: 1 },
      amount: {
        description: 'What a record comes to: deputies approve up to the limit of their delegation.',
        $ref: '#/$defs/fieldName',
      },
      import: {
        description: 'States that an import may open new records in, and the transition that each takes into it.',
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'string', minLength: 1 },
      },
      states: {
        description: 'The states; new records are in the first.',
        type: 'object',
        minProperties: 2,
        propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          properties: {
            title: { description: 'Default: by its name.', type: 'string', minLength: 1 },
            colour: { enum: ['neutral', 'brand', 'success', 'warning', 'danger'] },
            is: { description: 'Default open.', enum: ['open', 'closed', 'cancelled'] },
            edit: {
              description:
                'What people may change in the state: true (default of the first), false (default of the others), fields, or fields by relation. `lines.note` is one column of rows.',
              anyOf: [{ type: 'boolean' }, names, { type: 'object', minProperties: 1, additionalProperties: names }],
            },
          },
        },
      },
      insert: {
        description: 'What must hold for a record that is added, and what happens beside.',
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: { guard: guards, effects },
      },
      transitions: {
        description: 'The ways between the states.',
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
        additionalProperties: {
          type: 'object',
          required: ['from'],
          additionalProperties: false,
          properties: {
            from: { description: 'States, or "open" for all open ones.', anyOf: [{ const: 'open' }, names] },
            to: {
              description: 'The state it leads to; without it the record stays; "<back>" is the state before.',
              type: 'string',
            },
            title: {
              description: 'Words of the button. Default: by its name.',
              type: 'string',
              minLength: 1,
              maxLength: 40,
            },
            icon: {
              description: 'Fluent icon name without size and style.',
              type: 'string',
              pattern: '^[A-Z][A-Za-z0-9]+$',
            },
            when: { description: 'Offered only while this holds.', type: 'string' },
            right: {
              description: 'The page right and the action code that it needs.',
              type: 'object',
              minProperties: 1,
              additionalProperties: false,
              properties: {
                page: {
                  enum: ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'],
                },
                action: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
              },
            },
            who: {
              description: 'Who may take it: relations, role:CODE, action:CODE; "!" before one: never they.',
              ...names,
            },
            guard: guards,
            ask: { description: 'Fields that it asks for; "!" behind one: it must be answered.', ...names },
            set: {
              description:
                'Fields and the expressions they are set to; "me" is whoever takes the step, `reason` what was answered.',
              type: 'object',
              minProperties: 1,
              additionalProperties: { type: 'string', minLength: 1 },
            },
            refill: { description: 'Functions of "fills" that run again.', ...names },
            effects,
            confirm: { description: 'Asked before.', type: 'string', minLength: 1 },
            done: { description: 'Said when it is done.', type: 'string', minLength: 1 },
            reason: {
              description:
                'A reason is asked for in words: true, or the question. A name such as quotation_lost: one of the reasons used for that is chosen.',
              anyOf: [{ const: true }, { type: 'string', minLength: 1 }],
            },
            auto: {
              description: 'When the product takes it by itself: one case, or several.',
              anyOf: [auto, { type: 'array', minItems: 1, items: auto }],
            },
            undo: { description: 'Takes back what these transitions did, last first.', ...names },
            locks: {
              description: 'References to records that nobody else may change meanwhile: customer_id, lines.bill_id.',
              ...names,
            },
            amend: {
              description: 'Makes the next revision: a copy in the first state with the same number.',
              type: 'object',
              required: ['revision'],
              additionalProperties: false,
              properties: {
                revision: {
                  description: 'The field that counts the revisions; it is made.',
                  $ref: '#/$defs/fieldName',
                },
                supersede: {
                  description: 'The transition by which the copy takes the place of the record. Default: at once.',
                  type: 'string',
                },
                set: {
                  description: 'What the record that is replaced gets; `copy.x` is what the copy has.',
                  type: 'object',
                  minProperties: 1,
                  additionalProperties: { type: 'string', minLength: 1 },
                },
              },
            },
            bulk: {
              description: 'Offered for several records: each by itself, or all or none.',
              enum: ['each', 'all'],
            },
          },
        },
      },
    },
  },
  fields: (written, { fields, descriptor, source, file }) => {
    if (!written) return;
    const name = written.field ?? 'status';
    if (descriptor.schema.properties?.[name]) {
      source.report(
        ['schema', 'properties', name],
        `"${name}" is made by "workflow".`,
        'Take it out of the properties; its title goes to "workflow".',
      );
      return;
    }
    const states = Object.entries(written.states);
    const made = revisionFields(written, file.name);
    for (const field of Object.keys(made))
      if (descriptor.schema.properties?.[field])
        source.report(
          ['schema', 'properties', field],
          `"${field}" is made by "amend".`,
          'Take it out of the properties, or name another field under "revision".',
        );
    fields.push(
      ...compileFields(
        {
          required: [name],
          properties: {
            ...made,
            [name]: {
              title: written.title ?? humanise(name),
              enum: states.map(([state]) => state),
              default: states[0]![0],
              readOnly: true,
              'x-labels': Object.fromEntries(states.map(([state, { title }]) => [state, title ?? humanise(state)])),
              'x-colours': Object.fromEntries(states.map(([state, one]) => [state, colourOf(one)])),
            },
          },
        },
        source,
        ['workflow'],
      ),
    );
  },
  compile: (written) => {
    if (!written) return {};
    const states = Object.entries(written.states).map(([name, one], at): State => ({
      name,
      title: one.title ?? humanise(name),
      colour: colourOf(one),
      is: one.is ?? 'open',
      edit: editOf(one.edit, at === 0),
    }));
    const open = states.filter(({ is }) => is === 'open').map(({ name }) => name);
    return {
      workflow: {
        field: written.field ?? 'status',
        ...(written.amount !== undefined && { amount: written.amount }),
        ...(written.import && { import: written.import }),
        states,
        transitions: Object.entries(written.transitions).map(([name, one]) => transitionOf(name, one, open)),
        ...(written.insert && {
          insert: {
            guard: (written.insert.guard ?? []).map(guardOf),
            effects: (written.insert.effects ?? []).map(namedUse),
          },
        }),
      },
    };
  },
  link: ({ workflow }, screens) => {
    if (!workflow?.transitions.some(({ reasonUse }) => reasonUse !== undefined)) return;
    for (const { name, serves } of screens.values())
      if (typeof serves === 'object' && 'reason' in serves) workflow.reasons = { type: name, ...serves.reason };
  },
  check: checkWorkflow,
  overlay: {
    needs: (screen, field) => {
      if (screen.workflow?.field === field) return 'it says how far the record is';
      if (screen.workflow?.amount === field) return 'deputies approve by it';
      return screen.workflow?.transitions.some(
        ({ ask, set }) => field in set || ask.some((one) => one.field === field && one.required),
      )
        ? 'a step of the workflow fills it in'
        : null;
    },
    writes: (screen, field) =>
      screen.workflow?.field === field ? 'goes on by its steps: untick the pages that take them' : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`workflow`**: the states of a record and the transitions between them. The word makes the field of the state',
    '(`status`, or `field`); it is not among the properties, and nobody writes it: the form shows the states as a bar and',
    'the transitions as buttons, the first that is offered as the main one. PUT and POST refuse a state; bulk edit',
    'leaves it out, and so does an import unless `import` says more.',
    '',
    'New records are in the first state, in which alone they may be deleted. `edit` says what people may change: everything',
    'in the first state and nothing in the others, or the fields listed, by relation if need be. `is` says whether records',
    'of a state are worked on (`open`), done (`closed`) or void (`cancelled`).',
    '',
    'A transition leads `from` its states `to` another; without `to` the record stays where it is, and `"<back>"` is the',
    'state before. `when` says for which records it is offered. `right` and `who` say who may take it, and both must hold:',
    'page rights and action codes in `right`; in `who` one of the [relations](#steps-and-looks), `role:CODE` or `action:CODE`,',
    'and none of those with `!`. Without either it takes the right to edit. A transition with the page right',
    '"approval_screen" is also taken by deputies for those they stand in for, of the `amount` of the workflow up to the limit',
    'of the delegation. If its `who` keeps somebody out by `!`, it is a decision: those are the people who asked, and take it',
    "only where the client's Configuration lets people decide what they asked for. Whoever may decide, and their deputies,",
    'are notified when a record comes to a state that is decided, and whoever asked when it was decided.',
    '',
    '`ask` names fields that are asked for (`!` behind: must be answered), `reason` asks for words that stay in the log. Where',
    '`reason` is a name such as `quotation_lost`, one of the reasons used for that is chosen from the type that',
    '[serves](#steps-and-looks) as reason, with words besides where the reason asks for them.',
    '`set` fills fields by expressions, which may also look through references (`type_id.valid_months`), use what was asked,',
    '`reason`, and `me`. `guard` holds against the record as it will be: an `assert` with its message, in which `{total}` is',
    'the value of that field, or a function of a module. `effects` are functions of modules or one of those below; all that',
    'a transition does is stored together or not at all. `bulk` offers it for several records of the list. `insert` has the',
    '`guard` and `effects` of a record that is added, by hand or by an import.',
    '',
    '`"import": { "active": "take_over" }` lets an import open new records in other states than the first: the sheet then has',
    'the state, and, where a transition gives the number, the number that a record has already. Each record is added and',
    'taken through that transition, with its guards, effects and rights; a column answers what the transition asks. The dry',
    'run validates each row and reports its errors. An import never changes the state of an existing record.',
    '',
    'Effects that every type may use, in place of a person, whatever they may see:',
    '',
    '- `{"set": {"of": "customer_id", "values": {"balance": "target.balance + total"}}}` sets fields of the record that the',
    '  path leads to, or, without `of`, of the record itself. A path may begin with rows: `lines.bill_id` is the record of',
    '  each row, and its columns come before the fields of the record. `target.x` is what that record has.',
    '- `{"move": {"of": "lines.bill_id", "do": "settle", "input": {"note": "reason"}, "when": "amount > 0", "back": "reopen"}}`',
    '  takes those records through a transition of theirs; `back` is the one that takes it back.',
    '- `{"makes": "slip"}` makes what [`makes`](#steps-and-looks) has under that name.',
    '- `{"emit": {"event": "billing.booked", "payload": {"amount": "total"}}}` says an event that a module declares.',
    '- `{"notify": {"event": "comment", "to": ["requester"], "values": {"name": "party"}}}` notifies those who stand in a',
    '  relation to the record.',
    '',
    '`undo` takes back what the effects of these transitions did and nobody has taken back yet, the last first. Amounts go',
    'back by what they were changed by, so that what others did meanwhile stays; another field only while it is as the',
    'effect left it. A document that was made is deleted while it is as it began. What later acts have used is refused (409),',
    'and an effect that cannot be taken back is not undone: the check says so.',
    '',
    'A transition locks the record, those of `locks`, and all that its effects name, at once and in one order.',
    '',
    '`amend` makes the next revision of a record: a copy in the first state, with its rows and the same number, without files',
    'and approvals. `revision` names the field that counts; the word makes it, and `copied_from_id` and `is_current`. With',
    '`supersede`, the record stays as it is until the copy takes that transition; then it goes to the state under `to`, and',
    '`set` writes what changes with it (`{"valid_to": "add_days(copy.valid_from, -1)"}`). Keys (`unique`, `valid`) hold among',
    'the current revisions.',
    '',
    '`auto` says when the product takes a transition by itself, one case or a list of them; with `who` or `right` beside it',
    'people take it too. `{"when": "open == 0"}`: after a change, as soon as the condition holds.',
    '`{"date": "due_on", "after": 3, "unit": "working_days"}`: when that day or moment of the record has come, so many `days`',
    '(default), `working_days`, `hours` or `minutes` later (a number, or an expression such as `type_id.close_after_days`),',
    'in the time zone of the record and by the working hours, week-offs and holidays of its branch; `when` keeps some records out. It is looked',
    'at every minute, and what was missed is made up for. A step that is refused then is shown at the record, its `owner`',
    '(a relation; else whoever made it) is notified once, and it is tried again.',
    '`{"event": "visit.finish", "record": "ticket_id"}`: when that has happened (a transition, `created`, `changed`, `removed`, or',
    "an event of a module); `record` is the way from the event's record to this one, `id` (default) itself, or",
    '`{"of": "service_id", "filter": […]}` all records that refer to it, each by itself. `made` and `unmade` stand under',
    '[makes](#steps-and-looks). `{"by": "platform.sync_run"}`: the job or the effect of that name takes it, and hands over',
    'what it asks for.',
  ],
  example: [
    {
      part: {
        relations: { buyer: 'created_by' },
        workflow: {
          field: 'state',
          states: {
            draft: {},
            waiting: { title: 'Waits for approval', colour: 'warning' },
            approved: { colour: 'success', edit: ['remark'] },
            refused: { colour: 'danger', is: 'closed' },
          },
          transitions: {
            submit: {
              from: ['draft'],
              to: 'waiting',
              title: 'Submit',
              guard: [{ assert: 'total > 0', message: 'Enter what is ordered.', field: 'lines' }],
            },
            approve: {
              from: ['waiting'],
              to: 'approved',
              right: { page: 'approval_screen' },
              who: ['!buyer'],
              confirm: 'The order goes out.',
            },
            refuse: {
              from: ['waiting'],
              to: 'refused',
              right: { page: 'approval_screen' },
              who: ['!buyer'],
              reason: true,
            },
          },
        },
      },
    },
  ],
});

/** Calls of a record that are there for every type. */
const RESERVED = new Set(['activate', 'deactivate', 'copy', 'history', 'links', 'insert', 'reasons']);

const colourOf = ({ colour, is }: WrittenState): State['colour'] =>
  colour ?? (is === 'closed' ? 'success' : is === 'cancelled' ? 'danger' : 'neutral');

function editOf(written: WrittenState['edit'], isFirst: boolean): EditRule {
  if (written === undefined) return isFirst;
  return Array.isArray(written) ? { '*': written } : written;
}

const namedUse = (written: WrittenUse): NamedUse => {
  const [name, args] = Object.entries(written)[0]!;
  return { name, args: typeof args === 'string' ? { make: args } : args };
};

function autoOf(written: WrittenAuto): Auto {
  if ('date' in written) {
    const { date: field, after = 0, unit = 'days', when } = written;
    return { date: { field, after, unit, ...(when !== undefined && { when }) } };
  }
  if (!('event' in written)) return written;
  const { event: name, record = 'id' } = written;
  return { event: { name, record: typeof record === 'string' ? { path: record.split('.') } : record } };
}

const guardOf = (written: WrittenGuard): GuardUse =>
  'assert' in written ? (written as GuardUse) : namedUse(written as WrittenUse);

/** The name of a use of reasons, apart from a question in words. */
const isUse = (reason: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(reason);

/** What a type with revisions has beside its own fields. */
function revisionFields(written: WrittenWorkflow, type: string): Record<string, JsonSchema> {
  const amends = Object.values(written.transitions).flatMap(({ amend }) => amend ?? []);
  if (amends.length === 0) return {};
  return {
    [amends[0]!.revision]: { type: 'integer', title: 'Revision', minimum: 0, default: 0, readOnly: true },
    [COPIED_FROM]: { type: 'integer', 'x-ref': type, title: 'Revision of', readOnly: true },
    [IS_CURRENT]: { type: 'boolean', title: 'Current revision', default: true, readOnly: true },
  };
}

function transitionOf(name: string, written: WrittenTransition, open: string[]): Transition {
  const { from, to, title, guard = [], ask = [], set = {}, effects = [], reason, amend, auto, ...rest } = written;
  return {
    name,
    title: title ?? humanise(name),
    ...rest,
    from: from === 'open' ? open : [from].flat(),
    to: to ?? null,
    guard: guard.map(guardOf),
    ask: ask.map((one) => ({ field: one.replace(/!$/, ''), required: one.endsWith('!') })),
    set,
    effects: effects.map(namedUse),
    ...(auto !== undefined && { auto: [auto].flat().map(autoOf) }),
    ...(typeof reason === 'string' && isUse(reason)
      ? { reason: 'Reason', reasonUse: reason }
      : reason !== undefined && reason !== false && { reason: reason === true ? 'Reason' : reason }),
    ...(amend && { amend: { ...amend, set: amend.set ?? {} } }),
  };
}

/** An import opens records in states that a transition leads to from the first, which people may take without giving a reason. */
function checkImport(check: ScreenCheck, states: string[]): void {
  const { import: opens = {}, transitions } = check.screen.workflow!;
  for (const [state, name] of Object.entries(opens)) {
    const at: Path = ['workflow', 'import', state];
    const transition = transitions.find((one) => one.name === name);
    if (!states.includes(state)) check.report(at, `There is no state "${state}".`, didYouMean(state, states));
    else if (!transition)
      check.report(
        at,
        `There is no transition "${name}".`,
        didYouMean(
          name,
          transitions.map((one) => one.name),
        ),
      );
    else if (transition.to !== state || !transition.from.includes(states[0]!))
      check.report(
        at,
        `"${name}" does not lead from "${states[0]!}" to "${state}".`,
        'Name a transition that takes new records there, or write one.',
      );
    else if (transition.reason !== undefined || transition.reasonUse !== undefined || isProductsOwn(transition))
      check.report(
        at,
        `"${name}" ${isProductsOwn(transition) ? 'is taken by the product alone' : 'asks for a reason, which no sheet gives'}.`,
        'Name another transition.',
      );
  }
}

function checkWorkflow(check: ScreenCheck): void {
  const { workflow } = check.screen;
  if (!workflow) return;
  const { amount } = workflow;
  const counted = check.field(amount);
  if (amount !== undefined && !counted) check.unknown(['workflow', 'amount'], amount, check.names, '"amount"');
  else if (counted && (!fieldType(counted.type).can.sum || counted.secret))
    check.report(
      ['workflow', 'amount'],
      `"${counted.name}" is no amount: it is of type ${counted.type}.`,
      'Choose an amount or a number.',
    );
  const states = workflow.states.map(({ name }) => name);
  checkImport(check, states);
  const reached = new Set([states[0]]);
  for (const { name, edit } of workflow.states) {
    if (typeof edit === 'boolean') continue;
    for (const [relation, fields] of Object.entries(edit)) {
      const at: Path = ['workflow', 'states', name, 'edit'];
      if (relation !== '*') checkPerson(check, relation, [...at, relation]);
      fields.forEach((one) => {
        const [field = '', column] = one.split('.');
        const known = check.field(field);
        if (!known) check.unknown(at, field, check.names, '"edit"');
        else if (column !== undefined && !known.rows?.some((inner) => inner.name === column))
          check.report(at, `"${field}" has no column "${column}".`);
      });
    }
  }
  for (const transition of workflow.transitions) {
    const at: Path = ['workflow', 'transitions', transition.name];
    if (RESERVED.has(transition.name))
      check.report(at, `"${transition.name}" is a call that every record has.`, 'Choose another name.');
    for (const name of transition.from)
      if (!states.includes(name))
        check.report([...at, 'from'], `There is no state "${name}".`, didYouMean(name, states));
    if (transition.to !== null && transition.to !== BACK) {
      if (!states.includes(transition.to))
        check.report([...at, 'to'], `There is no state "${transition.to}".`, didYouMean(transition.to, states));
      reached.add(transition.to);
    }
    if (transition.when !== undefined) checkExpression(check, transition.when, [...at, 'when']);
    checkGuards(check, transition.guard, [...at, 'guard']);
    checkEffects(check, transition.effects, [...at, 'effects']);
    checkUndo(check, transition, at);
    checkReason(check, transition, at);
    checkAmend(check, transition, at);
    transition.locks?.forEach((path, index) => pathTarget(check, path, [...at, 'locks', index]));
    for (const { field } of transition.ask) {
      if (!check.names.has(field)) check.unknown([...at, 'ask'], field, check.names, '"ask"');
      // Whoever answers would choose the state, past the transitions that lead there.
      else if (field === workflow.field) check.report([...at, 'ask'], 'The state is set by "to".', 'Leave it out.');
    }
    for (const [field, text] of Object.entries(transition.set)) {
      if (!check.names.has(field)) check.unknown([...at, 'set', field], field, check.names, '"set"');
      else if (field === workflow.field)
        check.report([...at, 'set', field], 'The state is set by "to".', 'Leave it out.');
      else if (text !== 'me') checkExpression(check, text, [...at, 'set', field], check.field(field)!);
    }
    transition.auto?.forEach((one, index) => {
      const several = Array.isArray(check.descriptor.workflow?.transitions[transition.name]?.auto);
      checkAuto(check, transition, one, [...at, 'auto', ...(several ? [index] : [])]);
    });
    transition.who?.forEach((one, index) => checkPerson(check, one, [...at, 'who', index]));
  }
  const { insert } = workflow;
  checkGuards(check, insert?.guard ?? [], ['workflow', 'insert', 'guard']);
  checkEffects(check, insert?.effects ?? [], ['workflow', 'insert', 'effects']);
  for (const name of states)
    if (!reached.has(name))
      check.report(
        ['workflow', 'states', name],
        `No transition leads to "${name}".`,
        'Add one, or leave the state out.',
      );
}

/** One case in which the product takes a transition by itself. */
function checkAuto(check: ScreenCheck, transition: Transition, auto: Auto, at: Path): void {
  if (auto.when !== undefined) checkExpression(check, auto.when, [...at, 'when']);
  for (const word of ['made', 'unmade'] as const) {
    const type = auto[word];
    const made = (check.screen.makes ?? []).map(({ to }) => to);
    if (type !== undefined && !made.includes(type))
      check.report([...at, word], `"makes" makes no "${type}" of this.`, didYouMean(type, made));
  }
  const { date, event, by } = auto;
  if (by !== undefined) {
    const jobs = check.all.functions('jobs');
    const known = [...(jobs ?? []), ...(check.all.functions('effects') ?? [])];
    if (jobs && !known.includes(by))
      check.report([...at, 'by'], `There is no job and no effect "${by}".`, didYouMean(by, known));
    // It hands over itself what the step asks for.
    return;
  }
  if (transition.ask.some(({ required }) => required) || transition.reason !== undefined)
    check.report(at, 'The product answers no questions.', 'Leave "reason" out, and "!" behind what is asked.');
  if (date) {
    const field = check.field(date.field);
    if (!field) check.unknown([...at, 'date'], date.field, check.names, '"date"');
    else if (field.type !== 'date' && field.type !== 'datetime')
      check.report([...at, 'date'], `"${field.name}" is of type ${field.type}.`, 'Choose a date, or a moment.');
    if (typeof date.after === 'string') checkExpression(check, date.after, [...at, 'after'], AFTER);
    if (date.when !== undefined) checkExpression(check, date.when, [...at, 'when']);
    // It would be due again at once, without end.
    if (transition.to === null || transition.from.includes(transition.to))
      check.report(at, 'After this step it would be due again.', 'Let "to" lead to a state that is not in "from".');
  }
  if (event) checkEvent(check, event, at);
}

/** What `after` gives. */
const AFTER: Field = {
  name: 'after',
  type: 'decimal',
  title: 'After',
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: true,
};

function checkEvent(check: ScreenCheck, { name, record }: AutoEvent, at: Path): void {
  const [type = '', what = ''] = name.split('.');
  const of = check.all.drafts.get(type)?.screen;
  if (of) {
    const known = [
      'created',
      'changed',
      'removed',
      ...(of.workflow?.transitions ?? []).map((one) => one.name),
      ...(of.clocks ?? []).flatMap((clock) => clock.bands.map((band) => bandEvent(clock, band.name))),
    ];
    if (!known.includes(what))
      check.report([...at, 'event'], `Nothing of that name happens to ${type}.`, didYouMean(what, known));
  } else check.function('events', name, [...at, 'event']);
  if (!('path' in record)) {
    const field = check.field(record.of);
    if (!field?.ref) check.unknown([...at, 'record', 'of'], record.of, check.names, '"of"');
    else if (of && field.ref.type !== type)
      check.report([...at, 'record', 'of'], `"${record.of}" does not refer to ${type}.`, 'Name a reference to it.');
    if (record.filter)
      check.filter(record.filter, check.screen, [...at, 'record', 'filter'], 'Write ["status", "eq", "open"].');
    return;
  }
  if (!of) return;
  let screen: Screen | undefined = of;
  for (const [step, part] of record.path.entries()) {
    if (part === 'id' && step === record.path.length - 1) break;
    const field: Field | undefined = screen?.fields.find((one) => one.name === part);
    if (!field?.ref) {
      const known = (screen?.fields ?? []).filter((one) => one.ref).map((one) => one.name);
      check.report([...at, 'record'], `"${part}" is no reference of ${screen?.name ?? type}.`, didYouMean(part, known));
      return;
    }
    screen = check.all.drafts.get(field.ref.type)?.screen;
  }
  if (screen && screen.name !== check.screen.name)
    check.report(
      [...at, 'record'],
      `"${record.path.join('.')}" leads to ${screen.name}.`,
      `Let it lead from ${type} to ${check.screen.name}.`,
    );
}

/** An expression of a transition: over the record, what was asked, and through references what they lead to. */
function checkExpression(check: ScreenCheck, text: string, at: Path, purpose: Field | 'condition' = 'condition'): void {
  check.serverExpression(text, at, purpose, ['reason']);
}
