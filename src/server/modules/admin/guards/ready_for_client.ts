import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { geography } from '../../../platform/reference/geography.ts';

type Row = Readonly<Record<string, unknown>>;

/** Code of the Indian state of a city, of the largest one if several share the name; null = unknown. */
export function stateOfCity(name: unknown): string | null {
  const wanted = String(name ?? '')
    .trim()
    .toLowerCase();
  const found = geography().cities.filter((city) => city.name.toLowerCase() === wanted);
  return found.toSorted((a, b) => b.population - a.population)[0]?.state ?? null;
}

/** The fields required to make a client. */
function missingForClient(lead: Row): FieldError[] {
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
      : [{ field: 'city', message: 'Enter a city of India, such as Madurai: it determines the state of the client.' }]),
    ...(products && products.length > 0 ? [] : [{ field: 'products', message: 'Choose what the client has bought.' }]),
  ];
}

/** The lead has everything required to make a client. */
export const readyForClient: Guard = {
  check: ({ record }) => Promise.resolve(missingForClient(record)),
};
