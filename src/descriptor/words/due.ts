import { ownRows } from '../own_rows.ts';
import { PEOPLE } from '../check_context.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { DueDate, Field } from '../types.ts';
import { addToLists } from './listed_types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Dates by which something must be done: rules of Mail configuration send reminders. */
    due?: DueDate[];
  }
  interface ScreenWords {
    due?: DueDate[];
  }
}

export const due = defineWord<DueDate[]>({
  name: 'due',
  on: 'screen',
  shape: {
    description:
      'Dates by which something must be done: the calendar shows them, and rules of Mail configuration send reminders.',
    type: 'array',
    minItems: 1,
    maxItems: 10,
    examples: [
      [
        {
          event: 'due',
          title: 'Delivery is due',
          date: 'due_on',
          open: ['status', 'eq', 'ordered'],
          people: { assignee: 'buyer_id' },
        },
      ],
    ],
    items: {
      type: 'object',
      required: ['event', 'title', 'date', 'people'],
      additionalProperties: false,
      properties: {
        event: {
          description: 'Its name in the rules.',
          enum: ['due', 'due_soon', 'overdue', 'expiring', 'ending', 'leaving'],
        },
        module: {
          description: 'Where the rules list it. Default: by the type itself.',
          type: 'string',
          minLength: 1,
          maxLength: 40,
        },
        title: { description: 'Its description.', type: 'string', minLength: 1, maxLength: 80 },
        date: {
          description: 'A date of the record, or rows.column: then each row falls due separately.',
          type: 'string',
          minLength: 1,
          examples: ['due_on', 'documents.expires_on'],
        },
        open: {
          description: 'Filter: only records that match.',
          type: 'array',
          minItems: 1,
          examples: [['status', 'in', ['planned', 'in_progress']]],
        },
        openRows: {
          description: 'Filter: only rows that match.',
          type: 'array',
          minItems: 1,
          examples: [['done_on', 'empty']],
        },
        people: {
          description: 'References to a user or an employee, by their relation to the record.',
          type: 'object',
          minProperties: 1,
          additionalProperties: false,
          properties: {
            assignee: { description: 'The person who must do it.', type: 'string' },
            requester: { description: 'The person who asked for it.', type: 'string' },
            owner: { description: 'The person responsible for it.', type: 'string' },
            approver: { description: 'The person who approves it.', type: 'string' },
          },
        },
      },
    },
  },
  // Lists of types with due dates ("x-values") include every type with this word.
  join: ({ name, title, due = [] }, screens) => {
    if (due.length > 0)
      addToLists(
        screens,
        'dueTypes',
        due.map(({ module = name }) => ({ value: module, label: title })),
      );
  },
  check: (check) => {
    const { screen } = check;
    screen.due?.forEach(({ event, module, date, open, openRows, people }, index) => {
      const at = (...path: Path): Path => ['due', index, ...path];
      const [head = '', column] = date.split('.');
      const listed = check.field(head);
      const rows = listed && ownRows(listed);
      /** A field, or a column of the rows with due dates. */
      const fieldAt = (name: string): Field | undefined => {
        const [first = '', second] = name.split('.');
        if (second === undefined) return check.field(first);
        return column !== undefined && first === head ? rows?.find((field) => field.name === second) : undefined;
      };
      if (screen.due!.some((other, before) => before < index && other.event === event && other.module === module))
        check.report(at('event'), `Two dates are called "${event}".`, 'Choose another event for one of them.');
      const day = fieldAt(date);
      if (!day) check.unknown(at('date'), date, check.names, '"due"');
      else if (day.type !== 'date')
        check.report(
          at('date'),
          `"${date}" is of type ${day.type}; only a date falls due.`,
          'Choose a field { "$ref": "types#date" }, or a column of child rows such as "documents.expires_on".',
        );
      for (const [part, name] of Object.entries(people)) {
        const field = fieldAt(name);
        const person = field
          ? field.type === 'ref' && PEOPLE.has(field.ref?.type ?? '')
          : name === 'created_by' || (name === 'id' && screen.name === 'employee');
        if (!person)
          check.report(
            at('people', part),
            `"${name}" names nobody: it refers to no user and no employee.`,
            'Choose a field with "x-ref": "employee" or "users", or created_by.',
          );
      }
      const hint = 'Write for instance ["status", "in", ["planned"]].';
      check.filter(open, screen, at('open'), hint);
      check.filter(openRows, { ...screen, fields: rows ?? [] }, at('openRows'), hint);
      if (openRows && column === undefined)
        check.report(at('openRows'), 'Here the record itself falls due.', 'Write its filter as "open".');
    });
  },
  chapter: 'Due dates and notices',
  doc: [
    '**`due`**: dates by which something must be done, and by whom. The calendar shows them, under `title`, to people who',
    'may open the list. Rules of Mail configuration (Settings) then notify people before or after the day, counted in',
    "calendar or working days, level by level and once per level, during office hours on working days of the record's",
    'branch; the type appears among the rules automatically. `event` is the name of the date in the rules: `due`,',
    '`due_soon`, `overdue`, `expiring`, `ending` or `leaving`, each once per type; `module` lists it under another heading.',
    '`date` is a field, or a column of child rows (`lines.due_on`): then each row has its own due date. `open` and',
    '`openRows` are [filters](#the-list): reminders are sent only while they match. `people` names the reference (to a user',
    'or an employee, or `created_by`) that is the `assignee`, `requester`, `owner` or `approver`; managers and heads in a',
    'rule are those of the first of assignee, owner, requester. All fields can be used in the message: `{{number}}`,',
    '`{{due_on}}`, `{{days_late}}`, `{{link}}`.',
  ],
  example: [
    {
      part: {
        due: [
          {
            event: 'due',
            title: 'Delivery is due',
            date: 'due_on',
            open: ['and', ['status', 'eq', 'ordered'], ['received_on', 'empty']],
            people: { assignee: 'created_by' },
          },
        ],
      },
    },
  ],
});
