import type { ScreenCheck } from '../check_context.ts';
import { didYouMean } from '../source.ts';
import { isProductsOwn } from '../workflow.ts';
import { addingRows, addsRowsTo } from '../offline_act.ts';
import type { FilterExpression } from '../types.ts';
import type { Path } from './word.ts';
import { defineWord } from './word.ts';

/**
 * The records stored on a device: those of a type that match the filter, or those that a field of this type refers to.
 */
export interface PacketPart {
  type: string;
  filter?: FilterExpression;
  /** The field of this type that refers to them, or after a dot the field of the records to which it refers. */
  via?: string;
}

interface OfflineWord {
  does: string[];
  notify?: string[];
  packet?: PacketPart[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** What people may do without a network, and the records that their device stores for it. */
    offline?: OfflineWord;
  }
  interface ScreenWords {
    /** Actions that the device queues while offline: `create`, `change`, `rows:<field>`, and transitions. */
    offline?: { does: readonly string[]; notify?: readonly string[]; packet?: readonly PacketPart[] };
  }
}

/** The actions that are not transitions. */
const WRITES = ['create', 'change'];

export const offline = defineWord<OfflineWord>({
  name: 'offline',
  on: 'screen',
  after: ['workflow', 'relations'],
  shape: {
    description: 'What people can do with a record without a network; it is stored on their device until sent.',
    type: 'object',
    required: ['does'],
    additionalProperties: false,
    examples: [{ does: ['create', 'change', 'submit'] }],
    properties: {
      does: {
        description: '"create" for new records, "change" for fields, "rows:<field>" for added rows, and transitions.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        uniqueItems: true,
      },
      notify: {
        description: 'Relations of the people who are notified of a refused action, besides the manager of its person.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        uniqueItems: true,
      },
      packet: {
        description: 'The records that a device stores, so that lists and records open without a network.',
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          required: ['type'],
          additionalProperties: false,
          properties: {
            type: { description: 'Type of the records.', type: 'string', minLength: 1 },
            filter: { description: 'Only records that match this filter.', type: 'array', minItems: 2 },
            via: {
              description:
                'Instead of a filter: a reference field of this type, or of a stored record ("lift_id.controller_id").',
              type: 'string',
              minLength: 1,
            },
          },
        },
        examples: [
          [
            { type: 'visit', filter: ['status', 'eq', 'planned'] },
            { type: 'lift', via: 'lift_id' },
          ],
        ],
      },
    },
  },
  compile: (written) =>
    written
      ? {
          offline: {
            does: written.does,
            ...(written.notify && { notify: written.notify }),
            ...(written.packet && { packet: written.packet }),
          },
        }
      : {},
  check: (check) => {
    const transitions = check.screen.workflow?.transitions ?? [];
    const names = [...WRITES, ...transitions.map(({ name }) => name)];
    check.screen.offline?.does.forEach((name, index) => {
      const at = ['offline', 'does', index];
      const transition = transitions.find((one) => one.name === name);
      if (addsRowsTo(name) !== null) checkRows(check, addsRowsTo(name)!, at);
      else if (!names.includes(name)) check.report(at, `There is no transition "${name}".`, didYouMean(name, names));
      else if (transition && isProductsOwn(transition))
        check.report(at, `"${name}" is the product's own.`, 'Choose another.');
    });
    const relations = Object.keys(check.screen.relations ?? {});
    check.screen.offline?.notify?.forEach((name, index) => {
      if (!relations.includes(name))
        check.report(['offline', 'notify', index], `There is no relation "${name}".`, didYouMean(name, relations));
    });
    check.screen.offline?.packet?.forEach((part, index) => checkPart(check, part, ['offline', 'packet', index]));
  },
  chapter: 'Steps and looks',
  doc: [
    '**`offline`**: what people may do with records without a network: `create` records, `change` the fields of an open',
    'record, and take transitions, with the fields these ask for. The device stores each action with its files, even when',
    'the browser is closed, and sends it when the network returns, in order and exactly once. A file is sent before the',
    'action that refers to it. The server decides by the rights and the state at that moment. The transition log, the',
    'clocks and `now()` use the time of the device, corrected by the error of its clock and at most 72 hours back; the',
    'history shows both times. A transition carries no version. A change carries the old value of each field, so people are',
    'asked only about fields that somebody else has changed since then: they see both values and choose. Rows added to a',
    'field named by `rows:<field>` are added to the rows that others have added in the meantime, whatever state the record',
    'has by then: a photo taken before somebody closed the record belongs to it. The server keeps each action that it',
    'refuses, and notifies the manager of the person who did it and the people in the relations under `notify`. They see it',
    'on the page of the record and in the list of the type. The person corrects it on the device and sends it again, or',
    'somebody else takes the transition on the page of the record, or deletes the record. Until then later actions on the',
    'same record wait.',
    '`packet` lists the records that the device stores, so that they open without a network, also after a reload: the',
    'records of a type that match `filter`, and those that a reference field of this type refers to (`via`), directly or',
    'through a stored record (`lift_id.controller_id`). The device stores what this person may see, with the questionnaires',
    'of these records: at most 200 records per type, 500 records and 8 MB in total. It fetches them at the start and again',
    'when one of them changes, and deletes them at sign-out, when rights change, and after 72 hours.',
  ],
  example: [
    { part: { offline: { does: ['change'], packet: [{ type: 'order', filter: ['status', 'eq', 'ordered'] }] } } },
  ],
});

/** A field whose rows people may add: rows of the record itself, saved with it. */
function checkRows(check: ScreenCheck, name: string, at: Path): void {
  const lists = check.screen.fields.filter((one) => one.rows && !one.part && !one.rowGroup && one.saveBy !== 'row');
  const field = lists.find((one) => one.name === name);
  if (!field) {
    const known = lists.map((one) => addingRows(one.name));
    check.report(at, `"${name}" has no rows that are saved with the record.`, didYouMean(addingRows(name), known));
  } else if (field.readOnly) check.report(at, `"${name}" is read-only.`, 'People do not add rows to it. Name another.');
}

/** A part of the packet: records of an existing type, selected by a filter or by a reference of this type. */
function checkPart(check: ScreenCheck, { type, filter, via }: PacketPart, at: Path): void {
  const target = check.type(type, [...at, 'type']);
  if (!target) return;
  if (target.kind === 'settings' || target.kind === 'view' || target.part)
    check.report([...at, 'type'], `A device keeps no records of "${type}".`, 'Choose a master or a document.');
  if (filter && via !== undefined) check.report(at, 'Write "filter" or "via", not both.', 'Leave one of them out.');
  if (filter) check.filter(filter, target, [...at, 'filter'], 'Write for instance ["status", "eq", "open"].');
  if (via === undefined) return;
  const [first = '', second] = via.split('.');
  const field = check.field(first);
  if (!field) {
    check.unknown([...at, 'via'], first, check.names, '"via"');
    return;
  }
  const between = second === undefined ? undefined : check.type(field.ref?.type ?? '', [...at, 'via']);
  if (second !== undefined && !between) return;
  const last = between ? between.fields.find(({ name }) => name === second) : field;
  if (last?.ref?.type !== type)
    check.report([...at, 'via'], `"${via}" does not refer to "${type}".`, 'Name a field that refers to this type.');
  else if (between && !check.screen.offline?.packet?.some((part) => part.type === between.name))
    check.report([...at, 'via'], `The device does not store "${between.name}".`, 'Add it to the packet.');
}
