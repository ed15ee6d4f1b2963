import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { inBatch } from '../../engine/records/hooks.ts';
import { numberOf } from './sheet_lines.ts';

/** How the figures of a KPI are counted. */
export interface KpiUnit {
  /** The code of the unit. */
  unit: string;
  decimals: number;
}

/** A figure as entered, with the field that a message names. */
export interface EnteredFigure {
  field: string;
  value: unknown;
}

/** The units of KPIs, by id; records of one batch share what was read. */
export async function unitsOf(session: Session, ids: readonly unknown[]): Promise<ReadonlyMap<number, KpiUnit>> {
  const wanted = [...new Set(ids.flatMap((id) => (typeof id === 'number' ? [id] : [])))];
  const known = inBatch(session, 'performance.units', () => new Map<number, KpiUnit>());
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  const { db, schema } = session.tenant;
  const rows = await db.query<KpiUnit & { id: number }>(
    preparedStatement(
      `select k.id, coalesce(k.decimals, 0)::int as decimals, u.code as unit
       from ${tableName(schema, 'kpi')} k join ${tableName(schema, 'uom')} u on u.id = k.uom_id where k.id = any($1::bigint[])`,
      [missing],
    ),
  );
  for (const { id, ...one } of rows) known.set(Number(id), one);
  return known;
}

/** Figures with more decimals than their KPI has: pieces are whole (§10). */
export function decimalErrors(kpi: KpiUnit | undefined, figures: readonly EnteredFigure[]): FieldError[] {
  return figures.flatMap(({ field, value }): FieldError[] => {
    const figure = numberOf(value);
    if (!kpi || figure === null || new Decimal(figure).decimalPlaces() <= kpi.decimals) return [];
    const takes =
      kpi.decimals === 0 ? 'takes whole numbers' : `takes ${kpi.decimals} decimal${kpi.decimals === 1 ? '' : 's'}`;
    return [{ field, message: `${kpi.unit} ${takes}. Correct ${new Decimal(figure).toString()}.` }];
  });
}

/** Whether two figures differ; an empty one differs from 0. */
export const isOther = (one: unknown, other: unknown): boolean => {
  const [a, b] = [numberOf(one), numberOf(other)];
  return a === null || b === null ? a !== b : !new Decimal(a).equals(b);
};
