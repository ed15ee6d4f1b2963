import type { Unit } from '../../engine/records/unit.ts';

/** A part of an update, such as a sales channel, with its figure. */
export interface Part extends Record<string, unknown> {
  label: string;
  value: string | null;
}

/** By what a KPI may be entered: types with a name. */
export type Dimension = 'channel' | 'subchannel' | 'division' | 'subdivision' | 'category' | 'store';

const MAX_PARTS = 50;

export const partsOf = (update: Readonly<Record<string, unknown>>): Part[] =>
  Array.isArray(update.parts) ? (update.parts as Part[]) : [];

/** The figures of parts that have one. */
export const figuresOfParts = (parts: readonly Part[]): { actual: string; target: null }[] =>
  parts.flatMap(({ value }) => (value === null || value === '' ? [] : [{ actual: String(value), target: null }]));

/** The parts of a new update, by name; stores are those of the company. */
export function newParts(unit: Unit, dimension: Dimension | null): Promise<Part[]> {
  if (dimension === null) return Promise.resolve([]);
  const { entityId } = unit.session;
  return unit.once(`parts by ${dimension} ${entityId}`, async () => {
    const own = dimension === 'store' ? 'and entity_id = $1' : 'and $1::bigint is not null';
    const rows = await unit.query<{ label: string }>(
      `select name as label from {${dimension}} where active ${own} order by name limit ${MAX_PARTS}`,
      [entityId],
    );
    return rows.map(({ label }) => ({ label, value: null }));
  });
}
