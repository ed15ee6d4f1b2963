import { cardLines, short } from '../../../domain/organisation/chart_card.ts';
import type { ChartPerson, ChartTree } from '../../../domain/organisation/chart_tree.ts';
import { readCookie, writeCookie } from '../../app/preferences.ts';
import { LAYERS } from './chart_layers.ts';

/** What a card may show below the name. */
export type CardField =
  | 'designation'
  | 'department'
  | 'branch'
  | 'head_count'
  | 'span'
  | 'score'
  | 'band'
  | 'vacancy'
  | 'years';

const layerText = (name: string, person: ChartPerson, tree: ChartTree): string =>
  LAYERS.find((one) => one.name === name)!.text(person, tree);

const counted = (text: string, word: string): string => (text === '' || text === '0' ? '' : `${text} ${word}`);

/** The fields in the order in which a card shows them. */
export const CARD_FIELDS: readonly {
  name: CardField;
  title: string;
  text: (person: ChartPerson, tree: ChartTree) => string;
}[] = [
  { name: 'designation', title: 'Designation', text: ({ designation, empno }) => designation ?? empno },
  { name: 'department', title: 'Department', text: ({ department }) => department ?? '' },
  { name: 'branch', title: 'Branch', text: ({ branch }) => branch ?? '' },
  {
    name: 'head_count',
    title: 'People below',
    text: (person, tree) => counted(layerText('head_count', person, tree), 'below'),
  },
  { name: 'span', title: 'Direct reports', text: (person, tree) => counted(layerText('span', person, tree), 'direct') },
  { name: 'score', title: 'Score', text: (person, tree) => layerText('score', person, tree) },
  { name: 'band', title: 'Rating', text: (person, tree) => layerText('band', person, tree) },
  { name: 'vacancy', title: 'Vacancies', text: (person, tree) => layerText('vacancy', person, tree) },
  { name: 'years', title: 'Years with us', text: (person, tree) => layerText('years', person, tree) },
];

const USUAL: readonly CardField[] = ['designation', 'department', 'branch'];
const cookieOf = (user: number): string => `chart_card_${user}`;

/** The fields that a user has chosen on this device. */
export function chosenFields(user: number): readonly CardField[] {
  const kept = readCookie(cookieOf(user))?.split('.');
  return kept === undefined ? USUAL : CARD_FIELDS.filter(({ name }) => kept.includes(name)).map(({ name }) => name);
}

/** Keeps the fields that a user has chosen. */
export const keepFields = (user: number, fields: readonly CardField[]): void =>
  writeCookie(cookieOf(user), fields.join('.'));

/** The three lines of a card: the name, the first field, and the others. */
export function cardTexts(
  person: ChartPerson,
  fields: readonly CardField[],
  tree: ChartTree,
): readonly [string, string, string] {
  const [name, second, third] = cardLines(person);
  if (person.wanted > 0) return [name, second, third];
  const [first = '', ...others] = CARD_FIELDS.filter((one) => fields.includes(one.name))
    .map(({ text }) => text(person, tree))
    .filter((text) => text !== '');
  return [name, short(first, 28), short(others.join(' · '), 26)];
}
