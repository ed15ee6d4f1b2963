export type Supply = 'intra' | 'inter' | 'exempt';

/** What decides the place of a supply: codes of states as GST numbers them, "33" = Tamil Nadu. */
export interface SupplyPlaces {
  /** State of the supplier's registration; null = not registered. */
  supplier: string | null;
  /** State of the building. */
  building: string | null;
  /** State of the recipient's registration, or of the billing address. */
  recipient: string | null;
  /** Where the service is supplied. */
  place: 'building' | 'recipient';
  /** A recipient in a special economic zone is always in another state. */
  isSez: boolean;
}

/**
 * Whether a supply stays within the state of the supplier's registration (C5 of the design of field service). Services on
 * immovable property are supplied where the building is. Null while a state is not known; a supplier that is not registered
 * charges no tax.
 */
export function supplyOf({ supplier, building, recipient, place, isSez }: SupplyPlaces): Supply | null {
  if (supplier === null) return 'exempt';
  if (isSez) return 'inter';
  const at = place === 'building' ? building : recipient;
  if (at === null) return null;
  return at === supplier ? 'intra' : 'inter';
}
