import { moveAction } from '../../../descriptor/move_action.ts';
import type { Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { recordLabel } from '../landing/cell_text.ts';

/**
 * Whether the person may move records by `how`: `edit`, a transition or an action; for transitions the server decides
 * per record.
 */
export function mayMove(
  screen: Screen,
  how: string | undefined,
  field: string,
  rights: ScreenRef['rights'],
): how is string {
  if (how === undefined) return false;
  if (screen.workflow?.transitions.some(({ name }) => name === how)) return true;
  const { readOnly = true } = screen.fields.find(({ name }) => name === field) ?? {};
  if (how === 'edit' && readOnly) return false;
  return rights[moveAction(screen, how)?.page ?? 'edit_screen'] && rights.write;
}

/** Why a record cannot be moved at all; null = it can, as far as this page knows. */
export function whyFixed(
  screen: Screen,
  record: WireRecord,
  how: string,
  name: string,
  rights: ScreenRef['rights'],
): string | null {
  if (mayMove(screen, how, name, rights)) return null;
  const { title, readOnly } = screen.fields.find((one) => one.name === name)!;
  return readOnly && how === 'edit'
    ? `"${title}" cannot be changed here.`
    : `You may not change "${title}" of "${recordLabel(screen, record)}".`;
}
