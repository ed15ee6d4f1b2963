import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** The parameters offered to a reader: none by fields of records that they may not list, which would be refused. */
export function offeredChoices(
  { from, parameters }: Report,
  { rights }: LiveSession,
  screens: ReadonlyMap<string, Screen>,
): Field[] {
  const isUnseen = (path: string): boolean => {
    let here = screens.get(from!.type);
    for (const [at, name] of path.split('.').entries()) {
      if (!here || (at > 0 && rights.refuse(here, 'landing') !== null)) return true;
      const field: Field | undefined = here.fields.find((own) => own.name === name && !own.masked);
      if (!field) return true;
      here = field.ref && screens.get(field.ref.type);
    }
    return false;
  };
  const unseen = (from?.filters ?? [])
    .filter((one): one is string => typeof one === 'string' && one.includes('.') && isUnseen(one))
    .map((path) => path.replaceAll('.', '_'));
  return parameters.filter(({ name }) => !unseen.includes(name));
}
