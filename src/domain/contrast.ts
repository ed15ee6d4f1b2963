/** The three channels of `#rrggbb`, linear from 0 to 1 (IEC 61966-2-1). */
export function linearRgb(hex: string): [number, number, number] {
  return [channel(hex, 1), channel(hex, 3), channel(hex, 5)];
}

function channel(hex: string, at: number): number {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** The minimum contrast for normal text (WCAG 2.2, 1.4.3). */
export const READABLE_CONTRAST = 4.5;

/** Contrast of a colour with white, 1 to 21 (WCAG 2.2). */
export function contrastWithWhite(hex: string): number {
  const [r, g, b] = linearRgb(hex);
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
