/** A value as text, whatever came: empty for nothing, JSON for what is no text, number or date. */
export function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean | bigint);
}
