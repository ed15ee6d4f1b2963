import { access } from './access.ts';
import { actions } from './actions.ts';
import { approval } from './approval.ts';
import { bands } from './bands.ts';
import { card } from './card.ts';
import { clocks } from './clocks.ts';
import { counts } from './counts.ts';
import { description } from './description.ts';
import { due } from './due.ts';
import { fills } from './fills.ts';
import { filters } from './filters.ts';
import { form } from './form.ts';
import { grid } from './grid.ts';
import { heading } from './heading.ts';
import { hierarchy } from './hierarchy.ts';
import { icon } from './icon.ts';
import { index } from './index_keys.ts';
import { kind } from './kind.ts';
import { label } from './label.ts';
import { library } from './library.ts';
import { looks } from './looks.ts';
import { makes } from './makes.ts';
import { menu } from './menu.ts';
import { mine } from './mine.ts';
import { notices } from './notices.ts';
import { number } from './number.ts';
import { overlay } from './overlay.ts';
import { parameters } from './parameters.ts';
import { part } from './part.ts';
import { reads } from './reads.ts';
import { subject } from './subject.ts';
import { personal } from './personal.ts';
import { plural } from './plural.ts';
import { offline } from './offline.ts';
import { panel } from './panel.ts';
import { print } from './print.ts';
import { publicWord } from './public.ts';
import { questionnaire } from './questionnaire.ts';
import { relations } from './relations.ts';
import { routes } from './routes.ts';
import { rules } from './rules.ts';
import { sameAs } from './same_as.ts';
import { schema } from './schema.ts';
import { schemaReference } from './schema_reference.ts';
import { scope } from './scope.ts';
import { scopes } from './scopes.ts';
import { serves } from './serves.ts';
import { sort } from './sort.ts';
import { title } from './title.ts';
import { tree } from './tree.ts';
import { unique } from './unique.ts';
import { uniqueEmpty } from './unique_empty.ts';
import { valid } from './valid.ts';
import { views } from './views.ts';
import { workflow } from './workflow.ts';
import { written } from './written.ts';
import type { ScreenWord } from './word.ts';

/** Every word at the top level of a descriptor, in the order of the parts of a compiled screen. */
export const screenWords: readonly ScreenWord[] = [
  schemaReference,
  kind,
  title,
  plural,
  description,
  icon,
  access,
  scope,
  routes,
  sameAs,
  schema,
  part,
  label,
  heading,
  unique,
  uniqueEmpty,
  index,
  valid,
  bands,
  rules,
  number,
  tree,
  hierarchy,
  serves,
  relations,
  workflow,
  makes,
  print,
  publicWord,
  questionnaire,
  offline,
  approval,
  fills,
  clocks,
  scopes,
  looks,
  library,
  mine,
  personal,
  due,
  overlay,
  counts,
  form,
  panel,
  grid,
  card,
  sort,
  filters,
  views,
  actions,
  reads,
  subject,
  parameters,
  menu,
  written,
  notices,
];

/** The same words, each after those that must be compiled before it. */
export const compileOrder: readonly ScreenWord[] = inOrder(screenWords);

function inOrder(words: readonly ScreenWord[]): ScreenWord[] {
  const byName = new Map(words.map((word) => [word.name, word]));
  const done = new Set<ScreenWord>();
  const visit = (word: ScreenWord, trail: string[]) => {
    if (done.has(word)) return;
    if (trail.includes(word.name)) throw new Error(`Words wait for each other: ${[...trail, word.name].join(', ')}.`);
    for (const name of word.after ?? []) {
      const before = byName.get(name);
      if (!before) throw new Error(`"${word.name}" is to be compiled after "${name}", which is no word.`);
      visit(before, [...trail, word.name]);
    }
    done.add(word);
  };
  for (const word of words) visit(word, []);
  return [...done];
}
