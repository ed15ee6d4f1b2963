import { checkWorkflow } from '../check_workflow.ts';
import { compileFields } from '../compile_fields.ts';
import { humanise } from '../humanise.ts';
import type { State, Workflow } from '../workflow.ts';
import { auto, effects, guards, names } from '../workflow_shapes.ts';
import type { WrittenWorkflow } from '../written_workflow.ts';
import { colourOf, editOf, guardOf, namedUse, revisionFields, transitionOf } from '../written_workflow.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** States of the records, and the transitions between them. */
    workflow?: WrittenWorkflow;
  }
  interface ScreenWords {
    workflow?: Workflow;
  }
}

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
        description: 'The amount of a record: deputies approve up to the limit of their delegation.',
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
            aside: {
              description: 'Off the usual way, such as on hold: the bar shows it only while a record is in it.',
              const: true,
            },
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
            when: { description: 'Offered only while this condition is met.', type: 'string' },
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
                'Fields and the expressions they are set to; "me" is the person taking the transition, `reason` the reason given.',
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
                'Asks for a reason as text: true, or the question. A name such as quotation_lost: asks to choose one of its reasons.',
              anyOf: [{ const: true }, { type: 'string', minLength: 1 }],
            },
            auto: {
              description: 'When the product takes it automatically: one case, or several.',
              anyOf: [auto, { type: 'array', minItems: 1, items: auto }],
            },
            undo: { description: 'Takes back what these transitions did, last first.', ...names },
            locks: {
              description: 'References to records that are locked during the transition: customer_id, lines.bill_id.',
              ...names,
            },
            amend: {
              description: 'Makes the next revision: a copy in the first state with the same number.',
              type: 'object',
              required: ['revision'],
              additionalProperties: false,
              properties: {
                revision: {
                  description: 'The field that counts the revisions; it is created automatically.',
                  $ref: '#/$defs/fieldName',
                },
                supersede: {
                  description: 'The transition by which the copy takes the place of the record. Default: at once.',
                  type: 'string',
                },
                set: {
                  description: 'Fields set on the replaced record; `copy.x` is a value of the copy.',
                  type: 'object',
                  minProperties: 1,
                  additionalProperties: { type: 'string', minLength: 1 },
                },
              },
            },
            bulk: {
              description: 'Offered for several records: each separately, or all or none.',
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
      ...(one.aside && { aside: true }),
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
    'the transitions as buttons, the first that is offered as the main one. A state off the usual way, such as on hold,',
    'is `"aside": true`: the bar shows it only while a record is in it, and a step to it is never the main button. PUT and POST refuse a state; bulk edit leaves',
    'it out, and so does an import unless `import` says more.',
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
