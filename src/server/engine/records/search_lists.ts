import { RELATIVE_DAYS } from '../../../domain/relative_days.ts';
import { operatorsFor } from '../../../descriptor/filter.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Found } from './search.ts';

const MAX_LISTS = 5;
/** Words between the name of a list and its period: "inspections of last week". */
const LINKING = new Set(['of', 'from', 'in', 'on', 'the', 'since', 'for', 'all']);
/** The words for periods, longer ones first, so that the longest match wins. */
const PERIODS = Object.entries(RELATIVE_DAYS)
  .flatMap(([word, { title }]) => [
    { word, said: title.toLowerCase() },
    { word, said: title.toLowerCase().replace('calendar ', '') },
  ])
  .sort((one, other) => other.said.length - one.said.length);

/**
 * The list and period of a text such as "inspections last week" or "yesterday's quotations": the remaining words name
 * the list.
 */
function periodIn(text: string): { word: string; said: string; words: string[] } | null {
  const plain = ` ${text
    .toLowerCase()
    .replace(/['’]s?(?= |$)/g, '')
    .replace(/[\s_]+/g, ' ')
    .trim()} `;
  const period = PERIODS.find(({ said }) => plain.includes(` ${said} `));
  if (!period) return null;
  const words = plain.replace(` ${period.said} `, ' ').trim().split(' ');
  return { ...period, words: words.filter((word) => word !== '' && !LINKING.has(word)) };
}

/** The first date that the list of a screen shows. */
function dayOf(screen: Screen): Field | undefined {
  const days = screen.fields.filter((field) => operatorsFor(field).includes('within'));
  return screen.grid.map((column) => days.find(({ name }) => name === column.field)).find((field) => field) ?? days[0];
}

/** Lists that a text names together with a period, such as "inspections last week", each with that filter. */
export function searchLists(session: Session, screens: ReadonlyMap<string, Screen>, q: string): Found[] {
  const asked = periodIn(q);
  if (!asked || asked.words.length === 0) return [];
  const found = [...screens.values()].flatMap((screen): { at: number; found: Found }[] => {
    const names = `${screen.plural} ${screen.title}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    const at = names.findIndex((name) => name.startsWith(asked.words[0]!));
    if (!asked.words.every((word) => names.some((name) => name.startsWith(word)))) return [];
    const day = dayOf(screen);
    if (!day || screen.scope === 'platform' || session.rights.refuse(screen, 'landing') !== null) return [];
    const filter = encodeURIComponent(JSON.stringify([day.name, 'within', asked.word]));
    const label = `${screen.plural}: ${day.title} ${asked.said}`;
    const route = `${screen.routes.landing}?filter=${filter}`;
    return [{ at, found: { type: screen.name, title: screen.title, id: 0, label, detail: null, route } }];
  });
  return found
    .sort((one, other) => one.at - other.at || one.found.label.length - other.found.label.length)
    .slice(0, MAX_LISTS)
    .map((one) => one.found);
}
