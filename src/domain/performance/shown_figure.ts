/** How figures of a unit of measure are written. */
export interface FigureStyle {
  /** "₹" or "%"; null = figures stand alone. */
  symbol: string | null;
  scale: 'one' | 'thousand' | 'lakh' | 'crore';
}

const SCALES = {
  one: { by: 1, sign: '' },
  thousand: { by: 1e3, sign: ' K' },
  lakh: { by: 1e5, sign: ' L' },
  crore: { by: 1e7, sign: ' Cr' },
} as const;
/** Signs of money stand before the amount, all others behind it. */
const MONEY = /^\p{Sc}$/u;

/**
 * A figure with the scale and the symbol of its unit: "₹12.5 L", "92 %". Only what is shown is rounded.
 * @param write writes a plain number with at most so many decimals
 */
export function shownFigure(
  value: number,
  decimals: number,
  { symbol, scale }: FigureStyle,
  write: (value: number, decimals: number) => string,
): string {
  const { by, sign } = SCALES[scale];
  const text = `${write(Math.abs(value) / by, by === 1 ? decimals : 2)}${sign}`;
  const minus = value < 0 ? '-' : '';
  if (symbol === null) return minus + text;
  return MONEY.test(symbol) ? `${minus}${symbol}${text}` : `${minus}${text} ${symbol}`;
}
