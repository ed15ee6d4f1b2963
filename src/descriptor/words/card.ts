import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Phone card: at most four lines of fields. Default from grid. */
    card?: string[];
  }
  interface ScreenWords {
    card: string[];
  }
}

export const card = defineWord<string[]>({
  name: 'card',
  on: 'screen',
  shape: {
    description: "Lines of a record's card on a phone, at most four. Default: the first four columns of the grid.",
    $ref: '#/$defs/fieldNames',
    examples: [['name', 'code', 'city']],
  },
  after: ['grid'],
  compile: (written, { screen: { grid } }) => ({
    card:
      written ??
      grid
        .filter((column) => !column.hidden)
        .slice(0, 4)
        .map((column) => column.field),
  }),
  check: (check) => {
    checkFieldList(check, 'card', check.descriptor.card, check.listNames);
    if (check.screen.card.length > 4)
      check.report(
        ['card'],
        `A card has at most four lines; here are ${check.screen.card.length}.`,
        'Keep name, status and two facts.',
      );
  },
  overlay: { lay: ({ product, kept }) => ({ card: kept(product.card) }) },
  chapter: 'The list',
  doc: ["**`card`**: up to four fields for a record's card on a phone."],
  example: [{ part: { card: ['supplier', 'number', 'total', 'status'] } }],
});
