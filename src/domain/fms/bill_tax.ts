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

/** Totals of a bill as exact decimals with two places. */
export interface BillTotals {
  taxable: string;
  cgst: string;
  sgst: string;
  igst: string;
  cess: string;
  gross: string;
  round_off: string;
  total: string;
}

/**
 * Totals of a bill (C5): tax is rounded for each line and component, and the total to the rupee if the policy says so.
 */
export function billTotals(
  lines: readonly {
    taxable: Decimal.Value;
    cgst: Decimal.Value;
    sgst: Decimal.Value;
    igst: Decimal.Value;
    cess?: Decimal.Value;
  }[],
  { toRupee = true }: { toRupee?: boolean } = {},
): BillTotals {
  const sum = (of: (line: (typeof lines)[number]) => Decimal) =>
    lines.reduce((total, line) => total.plus(of(line)), new Decimal(0));
  const tax = (name: 'cgst' | 'sgst' | 'igst' | 'cess') =>
    sum((line) => toPaisa(new Decimal(line.taxable).times(line[name] ?? 0).div(100)));
  const taxable = sum((line) => new Decimal(line.taxable));
  const [cgst, sgst, igst, cess] = [tax('cgst'), tax('sgst'), tax('igst'), tax('cess')];
  const gross = taxable.plus(cgst).plus(sgst).plus(igst).plus(cess);
  const total = toRupee ? gross.toDecimalPlaces(0, Decimal.ROUND_HALF_UP) : gross;
  const written = (amount: Decimal) => amount.toFixed(2);
  return {
    taxable: written(taxable),
    cgst: written(cgst),
    sgst: written(sgst),
    igst: written(igst),
    cess: written(cess),
    gross: written(gross),
    round_off: written(total.minus(gross)),
    total: written(total),
  };
}

/** The tax included in an advance (C8): tax = round(x × r / (100 + r)). */
export function taxInside(amount: Decimal.Value, rate: Decimal.Value): { taxable: string; tax: string } {
  const tax = toPaisa(new Decimal(amount).times(rate).div(new Decimal(100).plus(rate)));
  return { taxable: new Decimal(amount).minus(tax).toFixed(2), tax: tax.toFixed(2) };
}
