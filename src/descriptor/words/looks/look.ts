import type { ScreenCheck } from '../../check_context.ts';
import type { Compiling, Laying, Path } from '../word.ts';
import { moveAction, moveParameter } from '../../move_action.ts';
import type { Field, JsonSchema, ScreenLooks, WrittenLooks } from '../../types.ts';

/** Another way to show a list: everything about it, except its page, is in the file with its name. */
export interface Look<Name extends keyof WrittenLooks = keyof WrittenLooks> {
  name: Name;
  shape: JsonSchema;
  /** The value as written, completed with defaults. */
  compile(written: NonNullable<WrittenLooks[Name]>, compiling: Compiling): NonNullable<ScreenLooks[Name]>;
  check(look: NonNullable<ScreenLooks[Name]>, check: ScreenCheck): void;
  /** Why a field cannot be hidden while the look uses it, as the end of a sentence; null = it can. */
  needs(look: NonNullable<ScreenLooks[Name]>, field: string): string | null;
  /** The look without the fields that a client has hidden. */
  lay?(look: NonNullable<ScreenLooks[Name]>, laying: Laying): NonNullable<ScreenLooks[Name]>;
  /** Indexes with which its rows are found without reading all. */
  index?(look: NonNullable<ScreenLooks[Name]>): string[][];
  /** Its documentation in docs/descriptors.md. */
  doc: string[];
}

/** A look in the form used by the word `looks`. */
export type AnyLook = Look<never>;

export function defineLook<Name extends keyof WrittenLooks>(look: Look<Name>): AnyLook {
  return look as unknown as AnyLook;
}

/** A field used by a look, of one of these types; undefined, and reported, if there is none. */
export function lookField(
  check: ScreenCheck,
  path: Path,
  name: string | undefined,
  types: readonly string[],
  what: string,
): Field | undefined {
  if (name === undefined) return undefined;
  const field = check.field(name);
  if (!field) check.unknown(path, name, check.names, `"${path.slice(0, 2).join('.')}"`);
  else if (!types.includes(field.type))
    check.report(
      path,
      `"${name}" is of type ${field.type}; this is ${what}.`,
      `Choose a field of the type ${types.join(' or ')}.`,
    );
  else if (field.secret) check.report(path, `"${name}" is secret.`, 'Choose another field.');
  else return field;
  return undefined;
}

/** A field shown by a look: it must exist and not be secret. */
export function shownField(check: ScreenCheck, path: Path, name: string | undefined): void {
  if (name === undefined) return;
  const field = check.field(name);
  if (!field) check.unknown(path, name, check.names, `"${path.slice(0, 2).join('.')}"`);
  else if (field.secret) check.report(path, `"${name}" is secret.`, 'Choose another field.');
}

/** What moves a record in a look: `edit`, or a transition or action that asks for the moved field. */
export function checkMove(check: ScreenCheck, path: Path, move: string | undefined, field: Field | undefined): void {
  if (move === undefined || !field) return;
  if (move === 'edit') {
    if (field.readOnly || field.formula !== undefined)
      check.report(path, `"${field.name}" cannot be edited.`, 'Name a transition that asks it, or leave this out.');
    return;
  }
  const transitions = check.screen.workflow?.transitions ?? [];
  const transition = transitions.find(({ name }) => name === move);
  const action = moveAction(check.screen, move);
  if (transition) {
    if (!transition.ask.some((asked) => asked.field === field.name))
      check.report(
        path,
        `"${move}" does not ask "${field.name}".`,
        `Write "ask": ["${field.name}!"] there, or name another transition.`,
      );
  } else if (!action)
    check.report(
      path,
      `There is no transition "${move}", and no action on a record that runs it.`,
      `Write "edit", or the name of a transition or of an action's function that asks "${field.name}".`,
    );
  else if (!moveParameter(action.params ?? [], field))
    check.report(
      path,
      `"${move}" does not ask "${field.name}".`,
      `Give it one parameter like that field, or one of its name.`,
    );
}

/** The transition, action or `edit` by which a look moves records. */
export const moveShape: JsonSchema = {
  description:
    'What moving a record there does: "edit", or a transition or the function of an action that asks for the field.',
  type: 'string',
  pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$',
};

/** Fields on a card besides its name: by default those of the phone's card. */
export function cardFields(written: string[] | undefined, { descriptor, screen }: Compiling, but: string[]): string[] {
  return written ?? (descriptor.card ?? []).filter((name) => !but.includes(name) && !screen.label.includes(name));
}
