import { Exact } from '../../descriptor/exact.ts';

/** Amounts are decimals as text with two places, percents and quantities decimals as text. */
export interface PricedLine {
  qty: string;
  rate: string;
  /** Percent. */
  discount: string;
  /** Percent of GST. */
  gst: string;
}

/** A line with its tax. */
export interface TaxedLine {
  gross: string;
  taxable: string;
  cgst: string;
  sgst: string;
  igst: string;
  total: string;
}

export type QuotedSupply = 'intra' | 'inter';

const money = (value: string | number | InstanceType<typeof Exact>) => new Exact(value).toDecimalPlaces(2);

/** Tax of a taxable amount, as CGST and SGST within a state, as IGST between states. */
function taxOf(taxable: InstanceType<typeof Exact>, gst: string, supply: QuotedSupply) {
  const zero = new Exact(0);
  if (supply === 'inter') return { cgst: zero, sgst: zero, igst: money(taxable.times(gst).dividedBy(100)) };
  const half = money(taxable.times(gst).dividedBy(200));
  return { cgst: half, sgst: half, igst: zero };
}

/** A line of a quotation of parts (5.13 of the design of the stores), half up to the paisa at each step. */
export function taxedLine({ qty, rate, discount, gst }: PricedLine, supply: QuotedSupply): TaxedLine {
  const gross = money(new Exact(qty).times(rate));
  const taxable = gross.minus(money(gross.times(discount).dividedBy(100)));
  return withTax(gross, taxable, gst, supply);
}

function withTax(
  gross: InstanceType<typeof Exact>,
  taxable: InstanceType<typeof Exact>,
  gst: string,
  supply: QuotedSupply,
): TaxedLine {
  const { cgst, sgst, igst } = taxOf(taxable, gst, supply);
  return {
    gross: gross.toFixed(2),
    taxable: taxable.toFixed(2),
    cgst: cgst.toFixed(2),
    sgst: sgst.toFixed(2),
    igst: igst.toFixed(2),
    total: taxable.plus(cgst).plus(sgst).plus(igst).toFixed(2),
  };
}

/**
 * Distributes an amount over lines by their weights in whole paise, by largest remainder; on a tie the earlier line
 * gets it. The shares add up to the amount exactly.
 */
export function spreadByWeight(amount: string, weights: readonly string[]): string[] {
  const whole = money(amount).times(100).toDecimalPlaces(0);
  const sum = weights.reduce((all, weight) => all.plus(weight), new Exact(0));
  if (sum.isZero()) return weights.map((_weight, at) => (at === 0 ? money(amount) : new Exact(0)).toFixed(2));
  const exact = weights.map((weight) => whole.times(weight).dividedBy(sum));
  const floors = exact.map((share) => share.floor());
  let left = whole.minus(floors.reduce((all, share) => all.plus(share), new Exact(0))).toNumber();
  const order = exact
    .map((share, at) => ({ at, remainder: share.minus(floors[at]!) }))
    .toSorted((a, b) => b.remainder.comparedTo(a.remainder) || a.at - b.at);
  for (const { at } of order) {
    if (left <= 0) break;
    floors[at] = floors[at]!.plus(1);
    left -= 1;
  }
  return floors.map((share) => share.dividedBy(100).toFixed(2));
}

/** A card pack: its price, and the value of each card in it. */
export interface CardPack {
  list: string;
  discount: string;
  /** Price of the pack before tax. */
  price: string;
  /** The cards with their share of the pack's price and tax. */
  lines: TaxedLine[];
}

/**
 * A set of controller cards at one price (5.13): the discount is on the sum of the list prices, and the price is
 * distributed over the cards in proportion. The tax is that of the pack as a whole, distributed in the same way. All
 * cards have the rate `gst`.
 */
export function cardPack(
  cards: readonly { qty: string; rate: string }[],
  { discount, gst, supply }: { discount: string; gst: string; supply: QuotedSupply },
): CardPack {
  const gross = cards.map(({ qty, rate }) => money(new Exact(qty).times(rate)).toFixed(2));
  const list = gross.reduce((all, one) => all.plus(one), new Exact(0));
  const off = money(list.times(discount).dividedBy(100));
  const price = list.minus(off);
  const { cgst, sgst, igst } = taxOf(price, gst, supply);
  const values = spreadByWeight(price.toFixed(2), gross);
  const [cgsts, sgsts, igsts] = [cgst, sgst, igst].map((tax) => spreadByWeight(tax.toFixed(2), gross)) as [
    string[],
    string[],
    string[],
  ];
  return {
    list: list.toFixed(2),
    discount: off.toFixed(2),
    price: price.toFixed(2),
    lines: cards.map((_card, at) => ({
      gross: gross[at]!,
      taxable: values[at]!,
      cgst: cgsts[at]!,
      sgst: sgsts[at]!,
      igst: igsts[at]!,
      total: new Exact(values[at]!).plus(cgsts[at]!).plus(sgsts[at]!).plus(igsts[at]!).toFixed(2),
    })),
  };
}
