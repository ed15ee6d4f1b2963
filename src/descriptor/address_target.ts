import type { PageType } from './types.ts';

/**
 * The target of an additional address of a screen: one of its pages, the import of its list, the questions or results
 * of a questionnaire, or a page on which something is started: `print:letter` and `step:cancel` of the record (for an
 * address without a record, the list of the records to which the transition applies), `copy` of it,
 * `make:quotation/contract` of the record of another type, `inbox:approve` the record, or for the number 0 the list of
 * the records that await that transition.
 */
export type AddressTarget =
  | PageType
  | 'import'
  | 'copy'
  | 'questions'
  | 'results'
  | `print:${string}`
  | `step:${string}`
  | `inbox:${string}`
  | `make:${string}/${string}`;

/** The page of a target, and its query; `id` is the parameter of the address. */
export function targetPage(target: AddressTarget, id = ''): { page: PageType; query: string } {
  const [word, name = ''] = target.split(':') as [string, string?];
  switch (word) {
    case 'import':
      return { page: 'landing', query: '?import=1' };
    case 'copy':
      return { page: 'add_screen', query: `?copy=${encodeURIComponent(id)}` };
    case 'questions':
      return { page: 'edit_screen', query: '?as=questions' };
    case 'results':
      return { page: 'view_screen', query: '?as=results' };
    case 'print':
      return { page: 'view_screen', query: `?print=${name}` };
    case 'step':
      return { page: id === '' ? 'landing' : 'view_screen', query: `?step=${name}` };
    case 'inbox':
      return id === '0' ? { page: 'landing', query: `?step=${name}` } : { page: 'view_screen', query: '' };
    case 'make': {
      if (id === '0') return { page: 'add_screen', query: '' };
      const [type, make] = name.split('/');
      return { page: 'add_screen', query: `?from=${type}/${encodeURIComponent(id)}&make=${make}` };
    }
    default:
      return { page: target as PageType, query: '' };
  }
}
