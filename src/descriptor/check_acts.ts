import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ScreenCheck } from './check_context.ts';
import { markedArguments } from './marked_arguments.ts';
import { sharedEffects } from './shared_effects.ts';
import { didYouMean } from './source.ts';
import type { GuardUse, NamedUse, Transition } from './workflow.ts';

type Path = (string | number)[];

const ajv = new Ajv2020({ strict: false, addUsedSchema: false });

/** A function of a module: it must exist, and its arguments must be valid. */
function checkUse(check: ScreenCheck, kind: 'effects' | 'guards', { name, args }: NamedUse, at: Path): void {
  check.function(kind, name, at);
  const found = check.all.described(kind, name);
  if (!found) return;
  const place = [...at, name];
  if (!found.args) {
    if (Object.keys(args).length > 0) check.report(place, `"${name}" is handed nothing.`, 'Write {}.');
    return;
  }
  const validate = ajv.compile(found.args);
  if (!validate(args)) {
    const { instancePath, message } = validate.errors![0]!;
    check.report(place, `${instancePath || `"${name}"`} ${message}.`, 'The manifest of the module says what it takes.');
    return;
  }
  for (const { path, value, mark } of markedArguments(found.args, args)) {
    if (mark === 'x-expr') check.serverExpression(value, [...place, ...path], 'any', ['reason']);
    else if (mark === 'x-type') check.type(value, [...place, ...path]);
    else if (!check.names.has(value)) check.unknown([...place, ...path], value, check.names, `"${name}"`);
  }
}

/** Checks the guards. */
export function checkGuards(check: ScreenCheck, guards: GuardUse[], at: Path): void {
  guards.forEach((guard, index) => {
    if (!('assert' in guard)) {
      checkUse(check, 'guards', guard, [...at, index]);
      return;
    }
    check.serverExpression(guard.assert, [...at, index, 'assert'], 'condition', ['reason']);
    for (const [, word = ''] of guard.message.matchAll(/\{(\w+)\}/g))
      if (!check.names.has(word)) check.unknown([...at, index, 'message'], word, check.names, 'the message');
    if (guard.field !== undefined && !check.names.has(guard.field))
      check.unknown([...at, index, 'field'], guard.field, check.names, 'the guard');
  });
}

/** Checks the effects. */
export function checkEffects(check: ScreenCheck, effects: NamedUse[], at: Path): void {
  effects.forEach((use, index) => {
    const shared = sharedEffects[use.name];
    if (shared) shared.check(check, use.args, [...at, index, use.name]);
    else checkUse(check, 'effects', use, [...at, index]);
  });
}

/** Every effect of the undone transitions must be reversible. */
export function checkUndo(check: ScreenCheck, { undo = [] }: Transition, at: Path): void {
  const { transitions, insert } = check.screen.workflow!;
  const acts = new Map([
    ...transitions.map(({ name, effects }) => [name, effects] as const),
    ...(insert ? [['insert', insert.effects] as const] : []),
  ]);
  undo.forEach((name, index) => {
    const effects = acts.get(name);
    if (!effects) {
      check.report([...at, 'undo', index], `There is no transition "${name}".`, didYouMean(name, acts.keys()));
      return;
    }
    if (effects.length === 0)
      check.report([...at, 'undo', index], `"${name}" has no effects to undo.`, 'Leave it out.');
    for (const { name: effect, args } of effects) {
      const shared = sharedEffects[effect];
      const known = check.all.described('effects', effect);
      if (shared ? !shared.reverses(args) : known && known.reverses !== true)
        check.report(
          [...at, 'undo', index],
          `"${effect}" of "${name}" cannot be undone.`,
          effect === 'move' ? 'Say under "back" which transition takes it back.' : 'Give the effect a "reverse".',
        );
    }
  });
}

/** A reason to choose: there must be a type of reasons, and it must have this use. */
export function checkReason(check: ScreenCheck, { reasonUse }: Transition, at: Path): void {
  if (reasonUse === undefined) return;
  for (const { screen } of check.all.drafts.values()) {
    const { serves } = screen;
    if (typeof serves !== 'object' || !('reason' in serves)) continue;
    const field = screen.fields.find(({ name }) => name === serves.reason.use);
    const uses = ((field?.schema.items as { enum?: string[] } | undefined)?.enum ??
      field?.options?.map(({ value }) => String(value))) as string[] | undefined;
    if (uses && !uses.includes(reasonUse))
      check.report(
        [...at, 'reason'],
        `"${field!.name}" of ${screen.name} has no "${reasonUse}".`,
        didYouMean(reasonUse, uses) ?? 'A question is written in words: "Why was it lost?"',
      );
    return;
  }
  check.report([...at, 'reason'], 'No type serves as reason.', 'Write true, or the question in words.');
}

/** The transition that creates revisions. */
export function checkAmend(check: ScreenCheck, { name, amend, to }: Transition, at: Path): void {
  if (!amend) return;
  const { transitions, field } = check.screen.workflow!;
  const place = [...at, 'amend'];
  if (transitions.find((one) => one.amend)!.name !== name)
    check.report(place, 'A type has one transition that makes revisions.', 'Take the word out of one.');
  if (to === null) check.report(place, 'The record that is replaced has to go somewhere.', 'Say its state under "to".');
  const names = transitions.map((one) => one.name);
  if (amend.supersede !== undefined && (!names.includes(amend.supersede) || amend.supersede === name))
    check.report(
      [...place, 'supersede'],
      `There is no transition "${amend.supersede}" of the copy.`,
      didYouMean(amend.supersede, names),
    );
  if (check.screen.tree) check.report(place, 'Records of a tree have no revisions.', 'Take "amend" or "tree" out.');
  const copies = check.screen.fields.map((one) => `copy.${one.name}`);
  for (const [target, text] of Object.entries(amend.set)) {
    const into = check.field(target);
    if (!into) check.unknown([...place, 'set', target], target, check.names, '"set"');
    else if (target === field) check.report([...place, 'set', target], 'The state is set by "to".', 'Leave it out.');
    else check.serverExpression(text, [...place, 'set', target], into, copies);
  }
}
