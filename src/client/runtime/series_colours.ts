import type { Tone } from '../../domain/report.ts';

/** The colours of values in a chart, as tokens of the theme. */
const TOKENS: Readonly<Record<string, string>> = {
  neutral: '--colorPaletteSteelBorderActive',
  brand: '--colorBrandStroke1',
  success: '--colorPaletteGreenBorderActive',
  warning: '--colorPaletteMarigoldBorderActive',
  danger: '--colorPaletteRedBorderActive',
};

/**
 * The colours of series that stand for values with colours of their own, in order; null = some has none, or two have the
 * same, so that they could not be distinguished. `token`: the colour of a token of the theme.
 */
export function coloursOf(tones: readonly (Tone | undefined)[], token: (name: string) => string): string[] | null {
  const own = tones.flatMap((tone) => tone ?? []);
  return own.length > 0 && own.length === tones.length && new Set(own).size === own.length
    ? own.map((tone) => (tone in TOKENS ? token(TOKENS[tone]!) : tone))
    : null;
}
