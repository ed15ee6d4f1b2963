import { ScreenCheck } from './check_context.ts';
import { checkBlock, checkPrintText } from './check_prints.ts';
import { PUBLIC_END, PUBLIC_INPUTS, answerStep, followPage } from './public_page.ts';
import type { PublicFollow, PublicPage } from './public_page.ts';
import { didYouMean } from './source.ts';
import type { Field } from './types.ts';
import { isProductsOwn } from './workflow.ts';

type Path = (string | number)[];

/** Reports errors in a public page: fields that must not be public, transitions that cannot be taken there. */
export function checkPublic(check: ScreenCheck): void {
  const { public: page } = check.screen;
  if (!page) return;
  const at: Path = ['public'];
  if (!page.route.endsWith(PUBLIC_END))
    check.report(
      [...at, 'route'],
      `"${page.route}" does not end in "${PUBLIC_END}".`,
      'Tokens are masked there in logs.',
    );
  else check.address('public', page.route, [...at, 'route']);
  if (check.screen.scope === 'platform' || check.screen.kind === 'view' || check.screen.kind === 'settings')
    check.report(at, 'Only masters and documents of clients have a public page.', 'Take it out.');
  const shown = checkToken(check, page, at);
  if (page.text !== null) checkPrintText(shown, page.text, [...at, 'text']);
  page.shows.forEach((block, index) => {
    if (block.when !== undefined) shown.serverExpression(block.when, [...at, 'shows', index, 'when'], 'condition');
    checkBlock(shown, { paper: 'A4', landscape: false }, block, [...at, 'shows', index]);
  });
  const prints = shown.screen.prints?.map(({ name }) => name) ?? [];
  page.prints.forEach((name, index) => {
    if (!prints.includes(name))
      check.report([...at, 'prints', index], `There is no print "${name}".`, didYouMean(name, prints));
  });
  if (page.when !== null) shown.serverExpression(page.when, [...at, 'when'], 'condition');
  if (page.follow) checkFollow(check, page, page.follow, [...at, 'follow']);
  page.fields.forEach((name, index) => checkField(check, page, name, [...at, 'fields', index]));
  for (const [name, from] of Object.entries(page.choices))
    checkChoice(check, page, name, from, [...at, 'choices', name]);
  if (page.may === 'create') checkCreate(check, page, at);
  else if (page.may === 'answer') checkAnswer(check, page, at);
  else page.may.forEach((name, index) => checkTransition(check, page, name, [...at, 'may', index]));
  if (typeof page.may !== 'string' && Object.keys(page.set).length > 0)
    check.report([...at, 'set'], 'A transition says itself what it sets.', 'Write it under "workflow".');
}

/** The follow-up page belongs to the added record itself. */
function checkFollow(check: ScreenCheck, page: PublicPage, follow: PublicFollow, at: Path): void {
  if (page.may !== 'create')
    check.report(at, 'Only a record that is added by a link is followed by one of its own.', 'Take it out.');
  const own = followPage(page, follow);
  if (follow.text !== null) checkPrintText(check, follow.text, [...at, 'text']);
  follow.shows.forEach((block, index) => {
    if (block.when !== undefined) check.serverExpression(block.when, [...at, 'shows', index, 'when'], 'condition');
    checkBlock(check, { paper: 'A4', landscape: false }, block, [...at, 'shows', index]);
  });
  follow.fields.forEach((name, index) => checkField(check, own, name, [...at, 'fields', index]));
  follow.may.forEach((name, index) => checkTransition(check, own, name, [...at, 'may', index]));
}

/** The screen whose records have the links, reporting under this file. */
function checkToken(check: ScreenCheck, page: PublicPage, at: Path): ScreenCheck {
  if (!page.of) return check;
  const place = [...at, 'token'];
  if (typeof page.may !== 'string')
    check.report(place, 'A link for transitions is of the record itself.', 'Leave "token" out.');
  const target = check.type(page.of.type, [...place, 'type']);
  const field = check.field(page.of.path);
  if (!field) check.unknown([...place, 'path'], page.of.path, check.names, '"token"');
  else if (target && field.ref?.type !== target.name)
    check.report([...place, 'path'], `"${field.name}" does not refer to ${target.name}.`, 'Name a reference to it.');
  const draft = target && check.all.drafts.get(target.name);
  return draft ? new ScreenCheck({ ...draft, source: check.source }, check.all) : check;
}

function checkField(check: ScreenCheck, page: PublicPage, name: string, at: Path): void {
  const field = check.field(name);
  if (!field) return check.unknown(at, name, check.names, '"public"');
  const why = notForStrangers(field, typeof page.may === 'string');
  if (why) check.report(at, `"${name}" ${why}, so strangers are not asked for it.`, 'Take it out.');
}

/** Why a field cannot be asked for on a public page, or null. */
function notForStrangers(field: Field, isNew: boolean): string | null {
  if (field.secret || field.encrypted === true) return 'is secret';
  if (field.rows) return 'has rows';
  if (field.visible !== undefined) return 'is not visible to everybody';
  if (field.formula !== undefined || field.count) return 'is computed';
  if (isNew && field.readOnly) return 'is read-only';
  return PUBLIC_INPUTS.has(field.type) ? null : `is of type ${field.type}`;
}

function checkChoice(check: ScreenCheck, page: PublicPage, name: string, from: string, at: Path): void {
  const field = check.field(name);
  const [rows = '', column = ''] = from.split('.');
  if (!page.fields.includes(name) || field?.type !== 'enum')
    check.report(at, `"${name}" is not a fixed choice among "fields".`, didYouMean(name, page.fields));
  if (page.of) check.report(at, 'There is no record yet whose rows could be looked at.', 'Take it out.');
  else if (!check.columns.get(rows)?.has(column))
    check.report(at, `"${from}" is not a column of rows.`, 'Write rows.column.');
}

/** A page with a questionnaire has one answers field and its submitting transition, and shows nothing else. */
function checkAnswer(check: ScreenCheck, page: PublicPage, at: Path): void {
  const found = answerStep(check.screen);
  if (!found)
    check.report(
      [...at, 'may'],
      'There is no transition that hands answers in.',
      'Write { "hand_in": { "answers": … } } under the effects of one.',
    );
  else if (page.of && page.of.path !== found.field.answersOf)
    check.report(
      [...at, 'token', 'path'],
      `"${found.field.name}" is of "${found.field.answersOf}".`,
      'Name it here too.',
    );
  if (page.text !== null || page.shows.length > 0 || page.prints.length > 0 || page.uses !== null)
    check.report(
      [...at, 'may'],
      'A questionnaire is shown with its own texts.',
      'Leave text, shows, prints and uses out.',
    );
  if (page.of) checkBegun(check, page, at);
  else if (page.fields.length > 0 || Object.keys(page.set).length > 0)
    check.report([...at, 'fields'], 'The record is there already.', 'Leave "fields" and "set" out, or name a "token".');
}

/** A link that adds records belongs to a record. */
function checkCreate(check: ScreenCheck, page: PublicPage, at: Path): void {
  if (!page.of) check.report([...at, 'may'], 'A link that adds records is of something.', 'Say of what under "token".');
  checkBegun(check, page, at);
}

/** The required fields of a new record are asked for, set, or filled automatically. */
function checkBegun(check: ScreenCheck, page: PublicPage, at: Path): void {
  for (const [name, text] of Object.entries(page.set)) {
    const field = check.field(name);
    const place = [...at, 'set', name];
    if (!field) check.unknown(place, name, check.names, '"set"');
    else if (field.formula !== undefined || field.rows || name === check.screen.workflow?.field)
      check.report(place, `"${name}" is not set by anybody.`, 'Choose another field.');
    else check.serverExpression(text, place, field);
  }
  const given = new Set([...page.fields, ...Object.keys(page.set), page.of?.path]);
  for (const field of check.screen.fields)
    if (field.required && !given.has(field.name) && !beginsItself(check, field))
      check.report([...at, 'fields'], `"${field.name}" is required, and nobody gives it.`, 'Ask or set it.');
}

const beginsItself = ({ screen }: ScreenCheck, { name, default: value, begins, fetch, formula }: Field): boolean =>
  [value, begins, fetch, formula].some((one) => one !== undefined) ||
  [screen.number?.field, screen.numberAt?.field, screen.workflow?.field].includes(name);

function checkTransition(check: ScreenCheck, page: PublicPage, name: string, at: Path): void {
  const all = check.screen.workflow?.transitions ?? [];
  const transition = all.find((one) => one.name === name);
  if (!transition)
    return check.report(
      at,
      `There is no transition "${name}".`,
      didYouMean(
        name,
        all.map((one) => one.name),
      ),
    );
  const { approval } = check.screen;
  if (isProductsOwn(transition)) check.report(at, `"${name}" is the product's own.`, 'Choose another.');
  if (approval && [approval.approved, approval.returned, approval.rejected, approval.withdrawn].includes(name))
    check.report(at, `"${name}" is decided by people of the company.`, 'Choose another.');
  if (transition.reasonUse !== undefined)
    check.report(at, `"${name}" asks to choose a reason from a list.`, 'Ask for one in words, or take it out.');
  for (const { field, required } of transition.ask)
    if (required && !page.fields.includes(field))
      check.report(at, `"${name}" needs "${field}", which is not asked.`, 'Name it under "fields".');
  return undefined;
}
