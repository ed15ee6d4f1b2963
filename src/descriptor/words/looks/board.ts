import { fieldType } from '../../fieldtypes/registry.ts';
import type { ScreenCheck } from '../../check_context.ts';
import { cardFields, checkMove, defineLook, lookField, moveShape } from './look.ts';

declare module '../../types.ts' {
  interface WrittenLooks {
    /** A column for each value of `by`: `sum` is added up a column, `card` stands on each card. */
    board?: { by: string; sum?: string; card?: string[]; drop?: string; late?: string };
  }
  interface ScreenLooks {
    board?: { by: string; sum?: string; card: string[]; drop?: string; late?: string };
  }
}

function checkSum(check: ScreenCheck, name: string): void {
  const path = ['looks', 'board', 'sum'];
  const sum = check.field(name);
  if (!sum) check.unknown(path, name, check.names, 'the sum');
  else if (!fieldType(sum.type).can.sum || sum.secret)
    check.report(path, `"${sum.name}" cannot be added up: it is of type ${sum.type}.`, 'Choose an amount or a number.');
  else if (sum.currencyFrom !== undefined)
    check.report(
      path,
      `"${sum.name}" cannot be added up: its amounts are in several currencies.`,
      'Choose an amount that is in one currency, such as one converted by an "x-formula".',
    );
  else if (sum.unitFrom !== undefined)
    check.report(path, `"${sum.name}" cannot be added up: it is in several units.`, 'Choose an amount or a count.');
}

export const board = defineLook<'board'>({
  name: 'board',
  shape: {
    description:
      'A column for each value of a field, or for each record that a reference can refer to, with the records as cards.',
    type: 'object',
    required: ['by'],
    additionalProperties: false,
    examples: [{ by: 'stage', sum: 'value', card: ['contact_name'] }],
    properties: {
      by: {
        description: 'The field whose values are the columns: a list of values, or a reference.',
        $ref: '#/$defs/fieldName',
      },
      sum: { description: 'An amount that is added up for each column.', $ref: '#/$defs/fieldName' },
      card: {
        description: 'Fields on a card, below the record\'s name. Default: those of "card".',
        $ref: '#/$defs/fieldNames',
      },
      drop: {
        ...moveShape,
        description:
          'What dropping a card does: "edit", or a transition or the function of an action that asks for the field. Default: the transition that leads to the column if the field is the workflow\'s, otherwise "edit".',
      },
      late: {
        description:
          'A day, time or clock: the card of an open record is marked once it has passed. Default: a date of "due", otherwise a clock.',
        $ref: '#/$defs/fieldName',
      },
    },
  },
  compile: (written, compiling) => ({ ...written, card: cardFields(written.card, compiling, [written.by]) }),
  check: ({ by, sum, card, drop, late }, check) => {
    const path = ['looks', 'board'];
    const field = lookField(check, [...path, 'by'], by, ['enum', 'ref'], 'one of a list, or a reference');
    lookField(check, [...path, 'late'], late, ['date', 'datetime', 'clock'], 'a day, a moment or a clock');
    card.forEach(
      (name, at) => check.names.has(name) || check.unknown([...path, 'card', at], name, check.names, 'the card'),
    );
    if (sum !== undefined) checkSum(check, sum);
    if (drop !== undefined && check.screen.workflow?.field === by)
      check.report(
        [...path, 'drop'],
        'The columns are the states: a card takes the transition that leads to its column.',
        'Leave "drop" out.',
      );
    else checkMove(check, [...path, 'drop'], drop, field);
  },
  needs: ({ by }, field) => (by === field ? 'it says how far the record is' : null),
  // A board without what the client has taken away: its sum, fields of its cards.
  lay: ({ by, sum, card, drop, late }, { kept, changed }) => ({
    by,
    card: kept(card),
    ...(drop !== undefined && { drop }),
    ...(sum !== undefined && !changed.has(sum) && { sum }),
    ...(late !== undefined && !changed.has(late) && { late }),
  }),
  doc: [
    '**`board`**: a column for each value of the field `by`, with the records as cards, the number of cards and, for the',
    'amount `sum`, the total. If `by` is a reference, the columns are the records that it may refer to, in the order of',
    'their own list, as far as their `x-ref-filter` fits a record of the list; if there are more than twelve, columns',
    'without cards appear only on request. Cards are moved by dragging, with keys (arrows, M) or from their menu; on a',
    "phone one column is shown at a time. `card` names the fields on a card below the record's name (default: those of",
    '`card` for the phone). With a `workflow` on the same field,',
    'moving a card takes the transition that leads to the column and asks for its fields; a column that no available',
    'transition leads to says why it takes no card. On a board by another field, `drop` names the transition that asks for',
    'that field, or the function of an action (the `run` of one on `record`) with a parameter like it; without `drop` the',
    'field is edited. `late` is a day, time or clock: once it has passed, the card of a record that is still open is marked',
    '(in the states that `due` names for that day, if any). Default: a date of `due`, otherwise a clock.',
  ],
});
