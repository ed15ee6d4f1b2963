import { fieldType } from '../fieldtypes/registry.ts';
import { listField } from './field_list.ts';
import { defineWord } from './word.ts';

interface WrittenBoard {
  field: string;
  sum?: string;
  card?: string[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** A page with a column for each value of a field: `sum` is added up a column, `card` stands on each card. */
    kanban?: WrittenBoard;
  }
  interface ScreenWords {
    kanban?: { field: string; sum?: string; card: string[] };
  }
}

export const kanban = defineWord<WrittenBoard>({
  name: 'kanban',
  on: 'screen',
  shape: {
    description: 'A page with a column for each value of a field, and the records as cards in them.',
    type: 'object',
    required: ['field'],
    additionalProperties: false,
    examples: [{ field: 'stage', sum: 'value', card: ['contact_name'] }],
    properties: {
      field: { description: 'The field whose values are the columns.', $ref: '#/$defs/fieldName' },
      sum: { description: 'An amount that is added up for each column.', $ref: '#/$defs/fieldName' },
      card: {
        description: 'Fields on a card, below the record\'s name. Default: those of "card".',
        $ref: '#/$defs/fieldNames',
      },
    },
  },
  after: ['label'],
  compile: (written, { descriptor, screen: { label } }) =>
    written
      ? {
          kanban: {
            ...written,
            card:
              written.card ?? (descriptor.card ?? []).filter((name) => name !== written.field && !label.includes(name)),
          },
        }
      : {},
  check: (check) => {
    const { kanban } = check.screen;
    if (!kanban) return;
    listField(check, 'kanban', kanban.field);
    kanban.card.forEach(
      (name, at) => check.names.has(name) || check.unknown(['kanban', 'card', at], name, check.names, 'the card'),
    );
    const sum = check.field(kanban.sum);
    if (kanban.sum !== undefined && !sum) check.unknown(['kanban', 'sum'], kanban.sum, check.names, 'the sum');
    else if (sum && (!fieldType(sum.type).can.sum || sum.secret))
      check.report(
        ['kanban', 'sum'],
        `"${sum.name}" cannot be added up: it is of type ${sum.type}.`,
        'Choose an amount or a number.',
      );
    else if (sum?.currencyFrom !== undefined)
      check.report(
        ['kanban', 'sum'],
        `"${sum.name}" cannot be added up: its amounts are in several currencies.`,
        'Choose an amount that is in one currency, such as one converted by an "x-formula".',
      );
  },
  overlay: {
    needs: (screen, field) => (screen.kanban?.field === field ? 'it says how far the record is' : null),
    writes: (screen, field) =>
      screen.kanban?.field === field ? 'goes on by its steps: untick the pages that take them' : null,
    // A board without what the client has taken away: its sum, fields of its cards.
    lay: ({ product: { kanban }, kept, changed }) =>
      kanban
        ? {
            kanban: {
              field: kanban.field,
              card: kept(kanban.card),
              ...(kanban.sum !== undefined && !changed.has(kanban.sum) && { sum: kanban.sum }),
            },
          }
        : {},
  },
  chapter: 'Steps and boards',
  doc: [
    '**`kanban`**: a board beside the list, at its address with `?board`: a column for each value of a field, the',
    'records as cards in them, with their number and, of the amount `sum`, the total. Cards are moved by',
    'dragging, by keys (arrows, M) or by their menu, on a phone one column at a time. `card` names the fields on a card',
    "below the record's name (default: those of the phone's `card`). With a `workflow` of the same field a card takes the",
    'transition that leads to the column, which asks what it asks; columns to which none is offered take no card.',
  ],
  example: [
    {
      part: {
        workflow: {
          field: 'stage',
          states: { asked: {}, ordered: { colour: 'brand' }, received: { is: 'closed' } },
          transitions: {
            order: { from: ['asked'], to: 'ordered', ask: ['due_on!'] },
            receive: { from: ['ordered'], to: 'received' },
            take_back: { from: ['ordered'], to: 'asked' },
          },
        },
        kanban: { field: 'stage', sum: 'total', card: ['ordered_on', 'due_on'] },
      },
    },
  ],
});
