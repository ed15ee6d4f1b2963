import { PAGES } from '../check_context.ts';
import { defineWord } from './word.ts';
import type { AddressTarget } from '../address_target.ts';
import { targetPage } from '../address_target.ts';
import { didYouMean } from '../source.ts';
import type { ScreenCheck } from '../check_context.ts';
import type { PageType } from '../types.ts';
import type { Path } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Older addresses of the same screen: they redirect, keeping query and parameters. `import` opens the list's import. */
    sameAs?: Record<string, AddressTarget>;
  }
  interface ScreenWords {
    sameAs: Record<string, AddressTarget>;
  }
}

/** Reports an invalid target. */
function checkTarget(check: ScreenCheck, target: AddressTarget, route: string, at: Path): void {
  const [word, name = ''] = target.split(':') as [string, string?];
  const { screen } = check;
  if (['copy', 'print', 'inbox', 'make', 'questions', 'results'].includes(word) && !/:id\b/.test(route))
    check.report(at, `"${route}" says of no record.`, 'Write /:id where its number stands.');
  if (word === 'print' || word === 'step' || word === 'inbox') {
    const known = (word === 'print' ? screen.prints : screen.workflow?.transitions)?.map((one) => one.name) ?? [];
    const what = word === 'print' ? 'print' : 'step';
    if (!known.includes(name)) check.report(at, `There is no ${what} "${name}".`, didYouMean(name, known));
  } else if (word === 'make') {
    const [type = '', make = ''] = name.split('/');
    const makes = check.all.drafts.get(type)?.screen.makes ?? [];
    if (!makes.some((one) => one.name === make && one.to === screen.name))
      check.report(
        at,
        `"${type}" makes no ${screen.name} by "${make}".`,
        didYouMean(
          make,
          makes.map((one) => one.name),
        ),
      );
  } else if (word === 'questions' || word === 'results') {
    if (!screen.questionnaire || screen.questionnaire.madeBy !== undefined)
      check.report(at, 'This type has no questions.', 'Say "questionnaire" first, or choose another page.');
  } else if (!['import', 'copy'].includes(word) && !PAGES.includes(target as PageType))
    check.report(
      at,
      `"${String(target)}" is not a page.`,
      `There are: ${[...PAGES, 'import', 'copy', 'questions', 'results'].join(', ')}.`,
    );
}

export const sameAs = defineWord<Record<string, AddressTarget>>({
  name: 'sameAs',
  on: 'screen',
  shape: {
    description: 'Older addresses of this screen and the page they open; import opens the import of the list.',
    type: 'object',
    additionalProperties: {
      description:
        'landing, add_screen, edit_screen, view_screen, approval_screen, transfer_screen, import, copy, questions, results, print:<name>, step:<name>, inbox:<step> or make:<type>/<name>.',
      type: 'string',
      pattern:
        '^(?!(print|step|inbox|make)(:|$))[a-z_]+$|^(print|step|inbox):[a-z][a-z0-9_]*$|^make:[a-z][a-z0-9_]*/[a-z][a-z0-9_]*$',
    },
    examples: [{ '/lift_make_list': 'landing' }],
  },
  compile: (written = {}) => ({ sameAs: written }),
  check: (check) => {
    const { screen } = check;
    for (const [route, page] of Object.entries(screen.sameAs)) {
      const path = ['sameAs', route];
      checkTarget(check, page, route, path);
      if (page === 'landing' && screen.kind !== 'settings')
        for (const [, parameter] of route.matchAll(/:(\w+)/g))
          if (!check.field(parameter))
            check.report(
              path,
              `":${parameter}" is not a field.`,
              'Parameters of an address that leads to the list are fields: the list opens filtered by them.',
            );
      check.address(targetPage(page, ':id').page, route, path);
    }
  },
  chapter: 'Addresses and menu',
  doc: [
    '**`sameAs`**: older addresses that still work, each with the page it opens: `landing`, `add_screen`, `edit_screen`,',
    '`view_screen`, `approval_screen` or `transfer_screen`; `import` opens the list with its import, `copy` a new record',
    'copied from this one. `print:letter` and `step:cancel` open the record and start that print or step,',
    '`make:quotation/contract` opens the form filled from a record of that type (an empty form for the number 0), and',
    '`questions` opens the page on which a questionnaire is built. `inbox:approve` opens the record or, for the number 0,',
    'the list of records in the states from which that step starts. The address of a step without `:id` takes the record',
    'from the query (`?id=5`), and opens that list if there is none. No two screens may share an address, except one of',
    'the platform and one of its clients. Parameters of an address that opens the list are fields:',
    '`/orders_of/:branch_id` opens the list filtered by that branch (0: records without a branch).',
  ],
  example: [
    {
      part: {
        sameAs: {
          '/purchase_orders': 'landing',
          '/purchase_orders/add': 'add_screen',
          '/orders_upload': 'import',
          '/orders_of/:branch_id': 'landing',
        },
      },
    },
  ],
});
