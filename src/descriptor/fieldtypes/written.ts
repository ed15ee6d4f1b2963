/** Any value as text: empty for nothing, JSON for anything other than a text, number or date. */
export function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean | bigint);
}

/** YYYY-MM-DD → DD-MM-YYYY. */
export function dayFirst(value: unknown): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)/.exec(written(value));
  return match ? `${match[3]}-${match[2]}-${match[1]}` : written(value);
}
