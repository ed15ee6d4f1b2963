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
    description: 'States of the records, and the transitions between them. The word creates the state field.',
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
      field: { description: 'The state field. Default: status.', $ref: '#/$defs/fieldName' },
      title: { description: 'The title of that field. Default: derived from its name.', type: 'string', minLength: 1 },
      amount: {
        description: 'The amount of a record: deputies approve up to the limit of their delegation.',
        $ref: '#/$defs/fieldName',
      },
      import: {
        description:
          'States in which an import may create new records, each with the transition that leads to it, or those that lead to it one after another.',
        type: 'object',
        minProperties: 1,
        additionalProperties: { anyOf: [{ type: 'string', minLength: 1 }, names] },
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
            title: { description: 'Default: derived from its name.', type: 'string', minLength: 1 },
            colour: { enum: ['neutral', 'brand', 'success', 'warning', 'danger'] },
            is: { description: 'Default open.', enum: ['open', 'closed', 'cancelled'] },
            aside: {
              description: 'Outside the normal path, such as on hold: the bar shows it only while a record is in it.',
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
        description: 'Guards and effects for a record that is added.',
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: { guard: guards, effects },
      },
      late: {
        description: 'What becomes of a change that is refused because somebody else came first.',
        type: 'object',
        required: ['in', 'who', 'effects', 'says'],
        additionalProperties: false,
        properties: {
          in: { description: 'The states in which it is too late.', ...names },
          who: { description: 'The relations of the people whose change is kept.', ...names },
          effects,
          says: {
            description: 'The message instead of the refusal; `{assignee_id}` is the value of a field.',
            type: 'string',
            minLength: 1,
          },
        },
      },
      reads: {
        description: 'Types that the guards and effects read or add, besides those that the record refers to.',
        ...names,
      },
      transitions: {
        description: 'The transitions between the states.',
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
              description:
                'The state it leads to; without it the record stays in its state; "<back>" is the previous state.',
              type: 'string',
            },
            title: {
              description: 'Label of the button. Default: derived from its name.',
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
              description: 'The page right and the action code required.',
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
              description: 'Who may take it: relations, role:CODE, action:CODE; "!" before one excludes it.',
              ...names,
            },
            decides: {
              description:
                'Relations of the usual approvers: a person who may not decide their own request reads the name of the first one.',
              ...names,
            },
            guard: guards,
            ask: { description: 'Fields that it asks for; "!" after one: required.', ...names },
            set: {
              description:
                'Fields and the expressions they are set to; "me" is the person taking the transition, `reason` the reason given.',
              type: 'object',
              minProperties: 1,
              additionalProperties: { type: 'string', minLength: 1 },
            },
            refill: { description: 'Functions of "fills" that run again.', ...names },
            effects,
            confirm: { description: 'Asked for confirmation first.', type: 'string', minLength: 1 },
            done: { description: 'Message shown afterwards.', type: 'string', minLength: 1 },
            reason: {
              description:
                'Asks for a reason as text: true, or the question. A name such as quotation_lost: asks to choose one of its reasons.',
              anyOf: [{ const: true }, { type: 'string', minLength: 1 }],
            },
            auto: {
              description: 'When the product takes it automatically: one case, or several.',
              anyOf: [auto, { type: 'array', minItems: 1, items: auto }],
            },
            undo: { description: 'Undoes what these transitions did, last first.', ...names },
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
                  description: 'The transition with which the copy replaces the record. Default: at once.',
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
        ...(written.import && {
          import: Object.fromEntries(Object.entries(written.import).map(([state, via]) => [state, [via].flat()])),
        }),
        states,
        transitions: Object.entries(written.transitions).map(([name, one]) => transitionOf(name, one, open)),
        ...(written.reads && { reads: written.reads }),
        ...(written.insert && {
          insert: {
            guard: (written.insert.guard ?? []).map(guardOf),
            effects: (written.insert.effects ?? []).map(namedUse),
          },
        }),
        ...(written.late && { late: { ...written.late, effects: written.late.effects.map(namedUse) } }),
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
    '**`workflow`**: the states of a record and the transitions between them. The word creates the state field (`status`,',
    'or `field`). It is not among the properties, and nobody edits it directly: the form shows the states as a bar and the',
    'transitions as buttons, the first available one as the main button. A state outside the normal path, such as on hold,',
    'is `"aside": true`: the bar shows it only while a record is in it, and a transition to it is never the main button.',
    'PUT and POST refuse a state; bulk edit leaves it out, and so does an import unless `import` allows more.',
    '',
    'New records are in the first state; they can be deleted only in that state. `edit` says what people may change: by',
    'default everything in the first state and nothing in the others; otherwise the listed fields, by relation if needed.',
    '`is` says whether records in a state are being worked on (`open`), done (`closed`) or void (`cancelled`).',
    '',
    'A transition leads `from` its states `to` another; without `to` the record stays in its state, and `"<back>"` is the',
    'previous state. `when` limits the records for which it is offered. `right` and `who` say who may take it, and both',
    'must be satisfied: `right` holds page rights and action codes; `who` requires one of the listed',
    '[relations](#steps-and-looks), `role:CODE` or `action:CODE`, and excludes those with `!`. With neither, the right to',
    'edit is required. A transition with the page right "approval_screen" may also be taken by deputies on behalf of their',
    'delegators, up to the limit of the delegation on the `amount` of the workflow. If its `who` excludes people with `!`,',
    'the transition is a decision: the excluded people are the ones who asked for it, and they may take it only if the',
    "client's Configuration lets people decide their own requests. The people who may decide, and their deputies, are",
    'notified when a record reaches a state that awaits a decision; the person who asked is notified of the decision.',
    '`decides` lists the [relations](#steps-and-looks) of the usual approvers, such as `manager`. If people try to decide',
    'their own request, the refusal names the first approver who is somebody else. Superiors come in order, the nearest',
    'first.',
    '',
    '`ask` names fields to ask for (with `!` the answer is required), `reason` asks for a text that is stored in the log.',
    'If `reason` is a name such as `quotation_lost`, one of the reasons with that use is chosen from the type that',
    '[serves](#steps-and-looks) as reason, with a remark where the reason requires one. `set` fills fields with',
    'expressions, which may also follow references (`type_id.valid_months`) and use the answers, `reason` and `me`. `guard`',
    'is checked against the record as it will be: an `assert` with its message, in which `{total}` is the value of that',
    'field, or a function of a module. `effects` are functions of modules or the ones below; everything a transition does',
    'is stored together or not at all. `bulk` offers it for several records of the list. `insert` has the `guard` and',
    '`effects` for a record that is added, by hand or by an import. `reads` names the types that the functions of a module',
    'read or add besides those that the record refers to; their tables are created before the first record is used.',
    '',
    'If several people may do the same work, the one who comes second is refused. With `late`, what they sent is not lost:',
    'when a record `in` one of these states refuses the form of a person in a relation of `who`, the `effects` run in a',
    'transaction of their own with it as `input`, and the person reads `says` instead of the refusal. An effect that',
    'refuses leaves the refusal as it was.',
    '',
    '`"import": { "active": "take_over" }` lets an import create new records in states other than the first. The sheet then',
    'includes the state and, where a transition assigns the number, the existing number of a record. Each record is added',
    'and taken through that transition, with its guards, effects and rights; columns supply what the transition asks for.',
    'The dry run validates each row and reports its errors. An import never changes the state of an existing record.',
    'A list of transitions leads to the state one after another. With `"auto": { "by": "import", "at": "resolved_at" }` only',
    'an import takes a transition, and at the moment in that field (if it is empty, that of the next transition), so that',
    'clocks run as they did; functions of `insert` find that state as `unit.importedInto`.',
    '',
    'Effects that every type may use. They act on behalf of the person, regardless of what that person may see:',
    '',
    '- `{"set": {"of": "customer_id", "values": {"balance": "target.balance + total"}}}` sets fields of the record that the',
    '  path leads to, or, without `of`, of the record itself. A path may begin with rows: `lines.bill_id` is the record',
    '  referred to by each row, and a column of the row takes precedence over a field of the record with the same name.',
    '  `target.x` is the value of a field in the target record.',
    '- `{"move": {"of": "lines.bill_id", "do": "settle", "input": {"note": "reason"}, "when": "amount > 0", "back":',
    '  "reopen"}}` takes those records through one of their transitions; `back` is the transition that undoes it.',
    '- `{"makes": "slip"}` creates the record that [`makes`](#steps-and-looks) defines under that name.',
    '- `{"emit": {"event": "billing.booked", "payload": {"amount": "total"}}}` publishes an event that a module declares.',
    '- `{"notify": {"event": "comment", "to": ["requester"], "values": {"name": "party"}}}` notifies the people in a',
    '  relation to the record. `attach` issues documents of `print` and sends them with the mail.',
    '',
    '`undo` reverses what the effects of these transitions did and has not been reversed yet, last first. Amounts are',
    'reduced by the amount they were changed by, so changes made by others in between remain; any other field is restored',
    'only while it still has the value that the effect set. A created document is deleted if it has not been changed.',
    'Undoing is refused (409) if later transactions used the result. An effect that cannot be undone is reported by the',
    'check.',
    '',
    'A transition locks the record, the records named in `locks` and all records its effects refer to, at once and always',
    'in the same order.',
    '',
    '`amend` creates the next revision of a record: a copy in the first state, with its rows and the same number, without',
    'files and approvals. `revision` names the field that counts the revisions; the word creates it together with',
    '`copied_from_id` and `is_current`. With `supersede`, the record stays as it is until the copy takes that transition;',
    'then the record goes to the state under `to`, and `set` writes the fields that change with it (`{"valid_to":',
    '"add_days(copy.valid_from, -1)"}`). Keys (`unique`, `valid`) apply to the current revisions only.',
    '',
    '`auto` says when the product takes a transition automatically: one case or a list of cases. With `who` or `right`',
    'beside it, people can take it too. `{"when": "open == 0"}`: after a change, as soon as the condition is true.',
    '`{"date": "due_on", "after": 3, "unit": "working_days"}`: when that day or time of the record has passed by so many',
    '`days` (default), `working_days`, `hours` or `minutes` (a number, or an expression such as',
    '`type_id.close_after_days`), in the time zone of the record and by the working hours, week-offs and holidays of its',
    'branch; `when` limits the records. This is checked every minute, and missed times are made up for. If such a',
    'transition is refused, the record shows it, its `owner` (a relation; otherwise the person who created it) is notified',
    'once, and the transition is tried again. `{"event": "visit.finish", "record": "ticket_id"}`: after that event (a',
    "transition, `created`, `changed`, `removed`, or an event of a module); `record` is the path from the event's record to",
    'this one, `id` (default) means the record itself, and `{"of": "service_id", "filter": […]}` means all records that',
    'refer to it, each separately. `made` and `unmade` are described under [makes](#steps-and-looks). `{"by":',
    '"platform.sync_run"}`: the job or effect of that name takes it, and passes the values it asks for.',
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
