import { createRequire } from 'node:module';

type StyleOf = (item: object, styles: unknown, property: string, fallback: unknown) => unknown;

/** Text styles that our documents never set. */
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
  'noWrap',
  'sup',
  'sub',
  'preserveLeadingSpaces',
  'preserveTrailingSpaces',
]);

/** Styles that our documents set at the text itself. */
const SET_AT_TEXT = 'linkToDestination';

/**
 * The layout engine resolves each style of each word through all its containers, which is most of its work. Styles that
 * our documents never set, or set at the text itself, are answered at once.
 */
export function shortenStyles(): void {
  const styles = (
    createRequire(import.meta.url)('pdfmake/js/StyleContextStack.js') as { default: { getStyleProperty: StyleOf } }
  ).default;
  const whole = styles.getStyleProperty;
  styles.getStyleProperty = (item, stack, property, fallback) =>
    NEVER_SET.has(property)
      ? fallback
      : property === SET_AT_TEXT
        ? ((item as Record<string, unknown>)[property] ?? fallback)
        : whole(item, stack, property, fallback);
}
