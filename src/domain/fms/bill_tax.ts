import { Decimal } from 'decimal.js';

/** By law the GST year begins in April, whatever a company's financial year. */
export const GST_YEAR_START = 4;

/** The kind of supply, which determines the GST components of a bill. */
export type BillSupply = 'intra_state' | 'intra_ut' | 'inter_state' | 'sez_lut' | 'exempt';

/** The inputs that decide the supply of a bill; states by their GST codes, "33" = Tamil Nadu. */
export interface BillPlaces {
  /** State of the supplier's registration; null = not registered. */
  supplier: string | null;
  /** State of the place of supply. */
  place: string | null;
  /** The place of supply is a union territory without a legislature. */
  isUnionTerritory: boolean;
  isSez: boolean;
  /** A letter of undertaking exists: supplies to a SEZ carry no tax. */
  hasUndertaking: boolean;
}

/** The supply of a bill (C5); null while a state is unknown. An unregistered supplier charges no tax. */
export function billSupply({
  supplier,
  place,
  isUnionTerritory,
  isSez,
  hasUndertaking,
}: BillPlaces): BillSupply | null {
  if (supplier === null) return 'exempt';
  if (isSez) return hasUndertaking ? 'sez_lut' : 'inter_state';
  if (place === null) return null;
  if (place !== supplier) return 'inter_state';
  return isUnionTerritory ? 'intra_ut' : 'intra_state';
}

/** Rates of a tax on one day, in percent. */
export interface TaxRates {
  cgst: string;
  sgst: string;
  igst: string;
  cess: string | null;
}

export type TaxComponent = 'cgst' | 'sgst' | 'utgst' | 'igst' | 'cess';

/** The components of each supply, unless a tax group names others. */
const COMPONENTS: Readonly<Record<BillSupply, readonly TaxComponent[]>> = {
  intra_state: ['cgst', 'sgst', 'cess'],
  intra_ut: ['cgst', 'utgst', 'cess'],
  inter_state: ['igst', 'cess'],
  sez_lut: [],
  exempt: [],
};

/**
 * The rates of a line by its supply. SGST stands for UTGST in a union territory, which has the same rate.
 * @param components those of the tax group used for this supply
 */
export function componentRates(
  supply: BillSupply,
  rates: TaxRates,
  components: readonly TaxComponent[] = COMPONENTS[supply],
): { cgst: string; sgst: string; igst: string; cess: string } {
  const has = (...names: TaxComponent[]) => names.some((name) => components.includes(name));
  return {
    cgst: has('cgst') ? rates.cgst : '0',
    sgst: has('sgst', 'utgst') ? rates.sgst : '0',
    igst: has('igst') ? rates.igst : '0',
    cess: has('cess') ? (rates.cess ?? '0') : '0',
  };
}

/** An amount rounded to the paisa, half away from zero. */
export const toPaisa = (amount: Decimal.Value): Decimal =>
  new Decimal(amount).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
