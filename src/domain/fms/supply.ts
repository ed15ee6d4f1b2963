export type Supply = 'intra' | 'inter' | 'exempt';

/** The inputs that decide the place of supply: GST codes of states, "33" = Tamil Nadu. */
export interface SupplyPlaces {
  /** State of the supplier's registration; null = not registered. */
  supplier: string | null;
  /** State of the building. */
  building: string | null;
  /** State of the recipient's registration, or of the billing address. */
  recipient: string | null;
  /** The state in which the service is supplied. */
  place: 'building' | 'recipient';
  /** A recipient in a special economic zone always counts as another state. */
  isSez: boolean;
}

/**
 * Whether a supply is within the state of the supplier's registration (C5 of the design of field service). Services on
 * immovable property are supplied where the building is. Null while a state is unknown; an unregistered supplier
 * charges no tax.
 */
export function supplyOf({ supplier, building, recipient, place, isSez }: SupplyPlaces): Supply | null {
  if (supplier === null) return 'exempt';
  if (isSez) return 'inter';
  const at = place === 'building' ? building : recipient;
  if (at === null) return null;
  return at === supplier ? 'intra' : 'inter';
}
