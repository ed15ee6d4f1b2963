import { objectSchema } from '../fields.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

/** Transitions that an approval process takes part in. */
export interface Approval {
  /** Opens a request. */
  asks: string;
  /** Taken when all levels have agreed. */
  approved: string;
  returned?: string;
  rejected?: string;
  /** The amount that levels and authorities go by. */
  amount?: string;
  /** Only records for which this holds are asked for; the others are approved at once. */
  when?: string;
  /** Fields whose change begins again at the first level. */
  binds?: string[];
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Which transitions of the workflow an approval process decides. */
    approval?: Approval;
  }
  interface ScreenWords {
    approval?: Approval;
  }
}

const step = (description: string) => ({ description, type: 'string', minLength: 1 });

export const approval = defineWord<Approval>({
  name: 'approval',
  on: 'screen',
  after: ['workflow'],
  shape: {
    description: 'Which transitions of the workflow an approval process decides.',
    type: 'object',
    required: ['asks', 'approved'],
    additionalProperties: false,
    examples: [{ asks: 'submit', approved: 'approve', returned: 'send_back', amount: 'total' }],
    properties: {
      asks: step('The transition that asks for the approval.'),
      approved: step('The transition that is taken when all have agreed.'),
      returned: step('The transition that gives it back.'),
      rejected: step('The transition that refuses it.'),
      amount: { description: 'The amount that levels and authorities go by.', $ref: '#/$defs/fieldName' },
      when: step('Only records for which this holds; the others are approved at once.'),
      binds: {
        description: 'Fields whose change begins again at the first level. Default: whatever people enter.',
        $ref: '#/$defs/fieldNames',
      },
    },
  },
  // Lists of what is approved ("x-values") know every type that says so.
  join: ({ name, title, approval: written }, screens) => {
    for (const screen of written ? screens : []) {
      const lists = screen.fields.filter(({ approvedTypes }) => approvedTypes);
      for (const field of lists) {
        if (field.options?.some(({ value }) => value === name)) continue;
        field.options = [...(field.options ?? []), { value: name, label: title }];
        field.schema = { ...field.schema, enum: field.options.map(({ value }) => value) };
      }
      if (lists.length > 0) Object.assign(screen.schema, objectSchema(screen.fields, false));
    }
  },
  check: (check) => {
    const { approval: written, workflow } = check.screen;
    if (!written) return;
    const transitions = workflow?.transitions ?? [];
    const names = transitions.map(({ name }) => name);
    for (const word of ['asks', 'approved', 'returned', 'rejected'] as const) {
      const name = written[word];
      if (name !== undefined && !names.includes(name))
        check.report(['approval', word], `There is no transition "${name}".`, didYouMean(name, names));
    }
    const to = transitions.find(({ name }) => name === written.asks)?.to;
    for (const word of ['approved', 'returned', 'rejected'] as const) {
      const decided = transitions.find(({ name }) => name === written[word]);
      const at: Path = ['approval', word];
      if (decided && to !== undefined && to !== null && !decided.from.includes(to))
        check.report(at, `"${decided.name}" does not lead on from "${to}", where "${written.asks}" leads to.`);
      if (decided && decided.ask.some(({ required }) => required))
        check.report(at, `"${decided.name}" asks for fields, which nobody is there to answer.`);
    }
    const field = check.field(written.amount);
    if (written.amount !== undefined && !field)
      check.unknown(['approval', 'amount'], written.amount, check.names, 'the amount');
    else if (field && !fieldType(field.type).can.sum)
      check.report(['approval', 'amount'], `"${field.name}" is no amount: it is of type ${field.type}.`);
    if (written.when !== undefined) check.serverExpression(written.when, ['approval', 'when'], 'condition');
    written.binds?.forEach(
      (name, at) => check.names.has(name) || check.unknown(['approval', 'binds', at], name, check.names, '"binds"'),
    );
  },
  overlay: {
    needs: (screen, field) =>
      screen.approval?.amount === field || screen.approval?.binds?.includes(field) === true
        ? 'its approval goes by it'
        : null,
  },
  chapter: 'Steps and boards',
  doc: [
    '**`approval`**: which transitions of the workflow an approval process decides. `asks` opens a request where the client',
    'has a process for the type (Approval processes): who approves, in how many levels, from which `amount` on. Then',
    '`approved`, `returned` and `rejected` are taken by those people alone, at the record or in their list of approvals, and',
    '`approved` happens when all levels have agreed. Nobody approves what they asked for themselves. Where no process fits,',
    'the rights of these transitions decide as without the word.',
    '',
    'Records for which `when` does not hold are approved at once. A change of a field of `binds` after somebody agreed begins',
    'again at the first level; a record that leaves its state otherwise withdraws its request.',
  ],
  example: [],
});
