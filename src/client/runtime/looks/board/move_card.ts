import type { Screen, ScreenRef, WireRecord } from '../../../../descriptor/types.ts';
import type { OfferedStep, Transition, Workflow } from '../../../../descriptor/workflow.ts';
import { isProductsOwn, transitionsFrom } from '../../../../descriptor/workflow.ts';
import type { AskedStep } from '../../workflow/take_step.ts';
import { askedStep } from '../../workflow/take_step.ts';
import { mayMove } from '../use_move.tsx';

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

/** The columns that a card may be dropped on. Where the server has said which steps are offered (`_can`), those alone count. */
export function columnsFor(screen: Screen, card: WireRecord, rights: Rights): string[] {
  const { by: name, drop = 'edit' } = screen.looks!.board!;
  const field = screen.fields.find((one) => one.name === name)!;
  const others = field.options?.map(({ value }) => String(value)).filter((value) => value !== card[name]) ?? [];
  if (boardWorkflow(screen)) return others.filter((value) => stepTo(screen, card, value, rights) !== null);
  return mayMove(screen, drop, name, rights) ? others : [];
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
