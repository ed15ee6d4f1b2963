import { PEOPLE } from '../check_context.ts';
import type { ScreenCheck } from '../check_context.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { didYouMean } from '../source.ts';
import { listField } from './field_list.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { Flow } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    flow?: Flow;
  }
  interface ScreenWords {
    flow?: Flow;
  }
}

export const flow = defineWord<Flow>({
  name: 'flow',
  on: 'screen',
  shape: {
    description: 'Steps of a record: from which value of a field it may go to which.',
    type: 'object',
    required: ['field', 'moves'],
    additionalProperties: false,
    examples: [{ field: 'state', start: ['draft'], moves: { draft: ['ordered'], ordered: ['received', 'draft'] } }],
    properties: {
      field: { description: 'The field, one of a list.', $ref: '#/$defs/fieldName' },
      start: {
        description: 'Values that new records may have. Default: all.',
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        uniqueItems: true,
      },
      moves: {
        description: 'From a value to those that may follow it. A value that is not named here is the last.',
        type: 'object',
        minProperties: 1,
        additionalProperties: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      },
      approve: {
        description:
          'Moves by which somebody decides what another asked for: they need the page right "approval", and nobody takes them for what they asked for themselves.',
        type: 'object',
        required: ['moves'],
        additionalProperties: false,
        examples: [{ moves: { waiting: ['approved', 'refused'] }, asked: ['buyer_id', 'created_by'], amount: 'total' }],
        properties: {
          moves: {
            description: 'Those of "moves" that decide.',
            type: 'object',
            minProperties: 1,
            additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
          },
          asked: {
            description:
              'Who asked: references to a user or an employee, created_by, updated_by. Default: created_by and updated_by.',
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            uniqueItems: true,
          },
          amount: { description: "The amount that a deputy's limit is held against.", $ref: '#/$defs/fieldName' },
        },
      },
    },
  },
  compile: (written) =>
    written
      ? {
          flow: {
            ...written,
            ...(written.approve && { approve: { asked: ['created_by', 'updated_by'], ...written.approve } }),
          },
        }
      : {},
  check: (check) => {
    const { flow } = check.screen;
    if (!flow) return;
    const values = new Set(listField(check, 'flow', flow.field)?.options?.map(({ value }) => String(value)));
    const value = (text: string, path: Path) =>
      values.size === 0 ||
      values.has(text) ||
      check.report(path, `"${text}" is not a value of "${flow.field}".`, didYouMean(text, values));
    flow.start?.forEach((text, at) => value(text, ['flow', 'start', at]));
    for (const [from, to] of Object.entries(flow.moves)) {
      value(from, ['flow', 'moves', from]);
      to.forEach((text, at) => value(text, ['flow', 'moves', from, at]));
    }
    if (flow.approve) checkApproval(check, flow);
  },
  overlay: {
    needs: (screen, field) => (screen.flow?.field === field ? 'it says how far the record is' : null),
    writes: (screen, field) =>
      screen.flow?.field === field ? 'goes on by its steps: untick the pages that take them' : null,
  },
  chapter: 'Steps and boards',
  doc: [
    '**`flow`**: the steps of a record. `moves` says from which value of a field it may go to which; a value that',
    'is not named there is the last. `start` names the values that new records may have (default: all). The form',
    'offers what the record is and what may follow, and no more. Bulk changes, imports and the interface are held',
    'to it alike, and a refusal says what may follow. What a step needs is said with `x-required-when`.',
    '',
    '**`approve`**, within `flow`: the moves by which somebody decides what another asked for. They need the page',
    'right "Approve" and not the right to edit. Nobody takes them for what they `asked` for: references to a user',
    'or an employee, `created_by` (who made it), `updated_by` (who changed it last); without it, those two. A',
    'client may allow it, in Configuration. A deputy decides what the giver may see, and of the `amount` named',
    'here as much as the delegation allows. Files approve nothing, and `start` must say how new records begin.',
    'Whoever may decide, and their deputies, are told when a record waits; whoever asked is told what became of',
    'it.',
    '',
    'An action with `move` takes a step: it is offered where that may follow, to whoever may take it. What it',
    'asks for goes to the field of that name. Such a step works where the field itself is `readOnly` in the form.',
    "A `readOnly` step that no action of the descriptor names is taken by the type's own calls alone: the generic",
    '`move` refuses it.',
  ],
  example: [
    {
      part: {
        flow: {
          field: 'status',
          start: ['draft'],
          moves: { draft: ['ordered'], ordered: ['received', 'draft'] },
          approve: { moves: { draft: ['ordered'] }, asked: ['created_by'], amount: 'total' },
        },
        actions: [
          { title: 'Approve', icon: 'Checkmark', move: 'ordered', done: 'It is ordered.' },
          { title: 'Take back', icon: 'ArrowUndo', move: 'draft', ask: { remark: 'Why is it not ordered?' } },
        ],
      },
    },
  ],
});

/** Moves that decide: they are moves, nobody begins behind them, and it is known who asked. */
function checkApproval(check: ScreenCheck, { start, moves, approve }: Flow): void {
  const at: Path = ['flow', 'approve'];
  if (!start) check.report(at, 'A new record could begin as approved.', 'Say in "start" how new records begin.');
  for (const [from, to] of Object.entries(approve!.moves))
    to.forEach((text, index) => {
      const path = [...at, 'moves', from, index];
      if (!moves[from]?.includes(text))
        check.report(path, `"moves" does not lead from "${from}" to "${text}".`, 'Write the step in "moves" as well.');
      // Back to where it can be asked for again is no approval.
      else if (start?.includes(text) && !leadsTo(moves, text, from))
        check.report(path, `"${text}" is to be decided, but new records may begin as it.`, 'Leave it out of "start".');
    });
  approve!.asked?.forEach((name, index) => {
    const field = check.field(name);
    if (name === 'created_by' || name === 'updated_by') return;
    if (!field) check.unknown([...at, 'asked', index], name, [...check.names, 'created_by', 'updated_by'], '"asked"');
    else if (field.type !== 'ref' || !PEOPLE.has(field.ref!.type))
      check.report(
        [...at, 'asked', index],
        `"${name}" does not say who asked: it refers to no user and no employee.`,
        'Choose a field with "x-ref": "employee" or "users", created_by or updated_by.',
      );
  });
  const { amount } = approve!;
  const field = check.field(amount);
  if (amount !== undefined && !field) check.unknown([...at, 'amount'], amount, check.names, '"amount"');
  else if (field && (!fieldType(field.type).can.sum || field.secret))
    check.report(
      [...at, 'amount'],
      `"${field.name}" is no amount: it is of type ${field.type}.`,
      'Choose an amount or a number.',
    );
}

/** Whether a record can come from one value to another, in any number of moves. */
function leadsTo(moves: Record<string, string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const value of seen) for (const next of moves[value] ?? []) seen.add(next);
  return from !== to && seen.has(to);
}
