import type { BrandVariants } from '@fluentui/react-components';
import { READABLE_CONTRAST, contrastWithWhite, linearRgb } from '../../domain/contrast.ts';

/**
 * Sixteen shades of one colour, dark to light, as Fluent's themes need them. Shade 80 is the colour itself, darkened if
 * white text on it would not reach a contrast of 4.5 : 1 (WCAG 2.2, 1.4.3). Lightness is distributed in OKLCH (B.
 * Ottosson, 2020), so that equal steps look equal for every hue.
 */
export function brandRamp(hex: string): BrandVariants {
  const [, chroma, hue] = toOklch(hex);
  let [key] = toOklch(hex);
  while (key > 0.2 && contrastWithWhite(fromOklch(key, chroma, hue)) < READABLE_CONTRAST) key -= 0.01;
  const darkest = 0.14;
  const lightest = 0.965;
  const ramp: Record<string, string> = {};
  for (let step = 1; step <= 16; step++) {
    const part = step <= 8 ? (step - 1) / 7 : (step - 8) / 8;
    const lightness = step <= 8 ? darkest + (key - darkest) * part : key + (lightest - key) * part;
    // Very dark and very light shades hold less colour.
    const strength = step <= 8 ? 0.3 + 0.7 * part : 1 - 0.85 * part;
    ramp[String(step * 10)] = fromOklch(lightness, chroma * strength, hue);
  }
  return ramp as unknown as BrandVariants;
}

function toOklch(hex: string): [lightness: number, chroma: number, hue: number] {
  const [r, g, b] = linearRgb(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, bb), Math.atan2(bb, a)];
}

function fromOklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${rgb
    .map((value) => {
      const clamped = Math.min(1, Math.max(0, value));
      const encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055;
      return Math.round(encoded * 255)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;
}
