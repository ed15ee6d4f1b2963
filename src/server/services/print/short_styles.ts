import { createRequire } from 'node:module';

type StyleOf = (item: object, styles: unknown, property: string, fallback: unknown) => unknown;

/** Looks of a text that no document of ours sets. */
const NEVER_SET = new Set([
  'italics',
  'leadingIndent',
  'fontFeatures',
  'characterSpacing',
  'decoration',
  'decorationColor',
  'decorationStyle',
  'decorationThickness',
  'background',
  'link',
  'linkToPage',
  'linkToDestination',
  'noWrap',
  'sup',
  'sub',
  'preserveLeadingSpaces',
  'preserveTrailingSpaces',
]);

/**
 * The layout engine asks for each look of each word through all that the word stands in, which is most of its work.
 * Those that no document of ours sets are answered at once.
 */
export function shortenStyles(): void {
  const styles = (
    createRequire(import.meta.url)('pdfmake/js/StyleContextStack.js') as { default: { getStyleProperty: StyleOf } }
  ).default;
  const whole = styles.getStyleProperty;
  styles.getStyleProperty = (item, stack, property, fallback) =>
    NEVER_SET.has(property) ? fallback : whole(item, stack, property, fallback);
}
