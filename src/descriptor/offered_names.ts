import { isEntered } from './entered_fields.ts';
import type { Field, Screen } from './types.ts';
import type { Transition } from './workflow.ts';
import { isProductsOwn } from './workflow.ts';

/** Which names of a record type a field offers. */
export interface OfferedNames {
  /** The field that selects the record type. */
  of: string;
  /** Fields that people enter (default), all fields but the state, dates, mail addresses, or the steps of the workflow. */
  what: 'entered' | 'fields' | 'dates' | 'mails' | 'steps';
  /** Only references to this type. */
  to?: string;
}

interface Named {
  name: string;
  title: string;
}

/** Steps that people take, or that the product takes at a date or when a condition becomes true. */
const isNamed = (step: Transition): boolean =>
  !isProductsOwn(step) ||
  (step.auto?.some(({ date, when }) => date !== undefined || when !== undefined) === true &&
    step.auto.every(({ by }) => by === undefined));

/** The names that a field may hold about a record type, with their titles. */
export function offeredNames(screen: Pick<Screen, 'fields' | 'workflow'>, { what, to }: OfferedNames): Named[] {
  if (what === 'steps') return screen.workflow?.transitions.filter(isNamed) ?? [];
  const fits = (field: Field): boolean => {
    if (to !== undefined) return field.type === 'ref' && field.ref?.type === to;
    if (what === 'entered') return isEntered(screen, field);
    if (field.hidden !== undefined || field.secret || field.rows || field.name === screen.workflow?.field) return false;
    if (what === 'dates') return field.type === 'date' || field.type === 'datetime';
    return what === 'fields' || field.type === 'email';
  };
  return screen.fields.filter(fits);
}
