import type { FieldError, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../context.ts';
import { geography } from '../../reference/geography.ts';
import { defineHooks } from '../../records/hooks.ts';

type Row = Record<string, unknown>;
type Won = (session: Session, lead: WireRecord) => Promise<void>;

let whenWon: Won = () => Promise.resolve();

/** Has `work` done for each lead that was just won. */
export function onWon(work: Won): void {
  whenWon = work;
}

/** Code of the Indian state that a city lies in, of several of the name the largest; null = not known. */
export function stateOfCity(name: unknown): string | null {
  const wanted = String(name ?? '')
    .trim()
    .toLowerCase();
  const found = geography().cities.filter((city) => city.name.toLowerCase() === wanted);
  return found.toSorted((a, b) => b.population - a.population)[0]?.state ?? null;
}

/** What a client cannot be made without. */
export function missingForClient(lead: Row): FieldError[] {
  const products = lead.products as unknown[] | null;
  return [
    ...(lead.email
      ? []
      : [
          {
            field: 'email',
            message: 'Enter the e-mail address: the client’s first administrator gets the invitation there.',
          },
        ]),
    ...(stateOfCity(lead.city)
      ? []
      : [{ field: 'city', message: 'Enter a city of India, such as Madurai: it says in which state the client is.' }]),
    ...(products && products.length > 0 ? [] : [{ field: 'products', message: 'Choose what the client has bought.' }]),
  ];
}

/** Leads: won ones become clients, as soon as they are won. */
export default defineHooks({
  check: (_session, record, stored) =>
    record.state === 'won' && stored?.state !== 'won' ? missingForClient(record) : [],
  async saved(session, record) {
    if (record.state === 'won' && !record.client_id) await whenWon(session, record);
  },
});
