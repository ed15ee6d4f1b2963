import { isPerson } from '../serves_people.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import { addToLists } from './listed_types.ts';

/** Transitions decided by an approval process. */
export interface Approval {
  /** Open a request. */
  asks: string | string[];
  /** Taken when all levels have agreed. */
  approved: string;
  returned?: string;
  rejected?: string;
  /** Taken by the person who asked, while nobody has agreed yet. */
  withdrawn?: string;
  /** On whose behalf it is requested: a reference to a user or an employee. Default: the person who asks. */
  requester?: string;
  /** The amount that decides levels and authorities. */
  amount?: string;
  /** Only records that meet this condition need approval; the others are approved at once. */
  when?: string;
  /** Without a process that matches, the record is approved at once. */
  optional?: boolean;
  /** The field that names the process. Records without one are decided by the rights of the transitions. */
  process?: string;
  /** The field that keeps the accounts who are asked or have decided. */
  approvers?: string;
  /** Fields whose change restarts the approval at the first level. */
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

/** The transitions that open a request. */
export const asksOf = ({ asks }: Approval): string[] => (typeof asks === 'string' ? [asks] : asks);

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
      asks: {
        description: 'The transition that asks for the approval, or several.',
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
        ],
      },
      approved: step('The transition that is taken when all have agreed.'),
      returned: step('The transition that gives it back.'),
      rejected: step('The transition that refuses it.'),
      withdrawn: step('The transition by which the requester withdraws the request while nobody has approved it.'),
      requester: {
        description:
          'The person on whose behalf the request is made: a reference to a user or an employee. Default: the requester.',
        $ref: '#/$defs/fieldName',
      },
      amount: { description: 'The amount that decides levels and authorities.', $ref: '#/$defs/fieldName' },
      when: step('Only records that meet this condition; others are approved at once.'),
      optional: {
        description: 'Without a process that matches, the record is approved at once; default: rights decide.',
        type: 'boolean',
      },
      process: {
        description:
          'The reference to the approval process that decides the record. Records that name none are decided by rights.',
        $ref: '#/$defs/fieldName',
      },
      approvers: {
        description: 'The field of several accounts that keeps who is asked and who has decided.',
        $ref: '#/$defs/fieldName',
      },
      binds: {
        description:
          'Fields whose change restarts the approval at the first level. Default: all fields that people enter.',
        $ref: '#/$defs/fieldNames',
      },
    },
  },
  // Lists of approved types ("x-values") include every type with this word.
  join: ({ name, title, approval: written }, screens) => {
    if (written) addToLists(screens, 'approvedTypes', [{ value: name, label: title }]);
  },
  check: (check) => {
    const { approval: written, workflow } = check.screen;
    if (!written) return;
    const transitions = workflow?.transitions ?? [];
    const names = transitions.map(({ name }) => name);
    const asks = asksOf(written);
    for (const word of ['asks', 'approved', 'returned', 'rejected', 'withdrawn'] as const)
      for (const name of word === 'asks' ? asks : [written[word]])
        if (name !== undefined && !names.includes(name))
          check.report(['approval', word], `There is no transition "${name}".`, didYouMean(name, names));
    const leads = transitions.filter(({ name }) => asks.includes(name)).map(({ to }) => to);
    if (new Set(leads).size > 1)
      check.report(
        ['approval', 'asks'],
        'These transitions lead to different states.',
        'All of them lead to one state.',
      );
    const [to] = leads;
    for (const word of ['approved', 'returned', 'rejected', 'withdrawn'] as const) {
      const decided = transitions.find(({ name }) => name === written[word]);
      const at: Path = ['approval', word];
      if (decided && to !== undefined && to !== null && !decided.from.includes(to))
        check.report(at, `"${decided.name}" does not lead on from "${to}", where "${asks[0]}" leads to.`);
      if (decided && word !== 'withdrawn' && decided.ask.some(({ required }) => required))
        check.report(at, `"${decided.name}" asks for fields, which nobody is there to answer.`);
    }
    const field = check.field(written.amount);
    if (written.amount !== undefined && !field)
      check.unknown(['approval', 'amount'], written.amount, check.names, 'the amount');
    else if (field && !fieldType(field.type).can.sum)
      check.report(['approval', 'amount'], `"${field.name}" is not an amount: it is of type ${field.type}.`);
    const requester = check.field(written.requester);
    if (written.requester !== undefined && !requester)
      check.unknown(['approval', 'requester'], written.requester, check.names, 'the requester');
    else if (requester && !isPerson(check.all.drafts.get(requester.ref?.type ?? '')?.screen ?? check.screen))
      check.report(
        ['approval', 'requester'],
        `"${requester.name}" does not name a person.`,
        'Name a reference to a user or to an employee.',
      );
    const process = check.field(written.process);
    if (written.process !== undefined && !process)
      check.unknown(['approval', 'process'], written.process, check.names, 'the process');
    else if (process && !process.ref)
      check.report(
        ['approval', 'process'],
        `"${process.name}" does not name an approval process: it is of type ${process.type}.`,
        'Name a reference to an approval process.',
      );
    const approvers = check.field(written.approvers);
    if (written.approvers !== undefined && !approvers)
      check.unknown(['approval', 'approvers'], written.approvers, check.names, 'the approvers');
    else if (
      approvers &&
      (approvers.type !== 'refs' || check.all.drafts.get(approvers.ref?.type ?? '')?.screen.serves !== 'account')
    )
      check.report(
        ['approval', 'approvers'],
        `"${approvers.name}" does not refer to several user accounts.`,
        'Name a field of several references to users.',
      );
    if (written.when !== undefined) check.serverExpression(written.when, ['approval', 'when'], 'condition');
    written.binds?.forEach(
      (name, at) => check.names.has(name) || check.unknown(['approval', 'binds', at], name, check.names, '"binds"'),
    );
  },
  overlay: {
    needs: (screen, field) =>
      screen.approval?.amount === field ||
      screen.approval?.requester === field ||
      screen.approval?.process === field ||
      screen.approval?.approvers === field ||
      screen.approval?.binds?.includes(field) === true
        ? 'its approval goes by it'
        : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`approval`**: which transitions of the workflow an approval process decides. `asks` opens a request if the client',
    'has a process for the type (Approval processes): the process sets who approves, in how many levels, and from which',
    '`amount`. Then only those people can take `approved`, `returned` and `rejected`, at the record or in their list of',
    'approvals, and `approved` takes effect when all levels have agreed. Nobody approves their own request. If no process',
    'matches, the rights of these transitions apply, as without the word; with `"optional": true` the record is then',
    'approved at once, for types that most clients use without approval. `process` names a reference to an approval',
    'process: then only the process that a record names decides it, and without one the rights apply. `approvers` names a',
    'field of several users that keeps who is asked and who has decided: with a relation for it under `scopes`, they see the',
    'record even if their role shows them only their own.',
    '',
    'Records for which `when` is false are approved at once. If a field of `binds` changes after somebody has agreed,',
    'approval starts again at the first level; if the record leaves its state in another way, the request is withdrawn.',
    '`withdrawn` is the transition with which the person who asked withdraws the request, as long as nobody has agreed.',
    "`requester` names the person on whose behalf others ask: the process then uses that person's manager and head of",
    'department, and that person cannot approve. `asks` may be a list of transitions that lead to one state. The page of a',
    'record with a request shows the levels, who decided and who is to decide.',
    '',
    'The process itself is configured in the product: who approves each level (people, roles, the list of authorities, a',
    'person the record names), how many of them must agree, when they must give a reason, which fields they may change',
    'while approving, and when they are reminded. If an amount grows while the record waits, the levels for the new amount',
    'apply.',
  ],
  example: [],
});
