import type { Screen, ScreenRef, WireRecord } from '../../../../descriptor/types.ts';
import type { OfferedStep, Transition, Workflow } from '../../../../descriptor/workflow.ts';
import { isProductsOwn, transitionsFrom } from '../../../../descriptor/workflow.ts';
import type { AskedStep } from '../../workflow/take_step.ts';
import { askedStep } from '../../workflow/take_step.ts';
import { recordLabel } from '../../landing/cell_text.ts';
import { whyFixed } from '../move_by.ts';
import { columnOf } from './use_board.ts';

type Rights = ScreenRef['rights'];

/** The workflow by which the cards of a board go on; without one they are changed like any field. */
export function boardWorkflow({ workflow, looks }: Screen): Workflow | null {
  return workflow && workflow.field === looks?.board?.by ? workflow : null;
}

/** Whether a person has the page right that a transition takes. The server looks at all else. */
function hasRight({ right, who }: Transition, rights: Rights): boolean {
  if (right?.page !== undefined) return rights[right.page];
  return right !== undefined || who !== undefined || (rights.edit_screen && rights.write);
}

/** A column of a board as a card is moved to it. */
export interface Target {
  value: string;
  label: string;
}

/** The columns that a card may be dropped on. Where the server has said which steps are offered (`_can`), those alone count. */
export function columnsFor(screen: Screen, card: WireRecord, rights: Rights, columns: readonly Target[]): Target[] {
  const own = columnOf(card[screen.looks!.board!.by]);
  return columns.filter(
    ({ value }) =>
      value !== own && (stepTo(screen, card, value, rights) || whyNot(screen, card, value, rights) === null),
  );
}

/** Why a card cannot go to a column; null = it can, as far as this page knows. */
export function whyNot(screen: Screen, card: WireRecord, to: string, rights: Rights): string | null {
  const { by: name, drop = 'edit' } = screen.looks!.board!;
  const field = screen.fields.find((one) => one.name === name)!;
  const workflow = boardWorkflow(screen);
  const title = recordLabel(screen, card);
  if (workflow) {
    const step = stepTo(screen, card, to, rights);
    if (step) return step.blocked;
    const words = (state: string) => workflow.states.find((one) => one.name === state)?.title ?? state;
    const known = transitionsFrom(workflow, String(card[workflow.field])).find((one) => one.to === to);
    if (!known)
      return `"${title}" cannot go from "${words(String(card[name]))}" to "${words(to)}": no step leads there.`;
    return isProductsOwn(known)
      ? `"${title}" goes to "${words(to)}" by itself.`
      : `You cannot take the step "${known.title}" of "${title}" now.`;
  }
  if (to === '' && field.required) return `"${field.title}" cannot be empty.`;
  return whyFixed(screen, card, drop, name, rights);
}

/** The transition by which a card goes to a column: the first that leads there; null = none. */
export function stepTo(
  screen: Screen,
  card: WireRecord,
  to: string,
  rights: Rights,
): { transition: AskedStep; blocked: string | null } | null {
  const workflow = boardWorkflow(screen);
  if (!workflow) return null;
  const offered = card._can as OfferedStep[] | undefined;
  for (const transition of transitionsFrom(workflow, String(card[workflow.field]))) {
    if (transition.to !== to || isProductsOwn(transition)) continue;
    const step = offered?.find(({ name }) => name === transition.name);
    if (offered ? step : hasRight(transition, rights))
      return { transition: askedStep(screen, transition, step), blocked: step?.blocked ?? null };
  }
  return null;
}
