import type { Unit } from '../../engine/records/unit.ts';

/** What a line of a sheet may be limited to: its columns, and the types that they name. */
const DIMENSIONS = {
  channel_id: 'channel',
  subchannel_id: 'subchannel',
  division_id: 'division',
  subdivision_id: 'subdivision',
  category_id: 'category',
  store_id: 'store',
  branch_id: 'branch',
} as const;
type Column = keyof typeof DIMENSIONS;
const COLUMNS = Object.keys(DIMENSIONS) as Column[];

/** The key of a line that is limited to nothing. */
export const WHOLE = '-';

type Row = Readonly<Record<string, unknown>>;

const chosen = (line: Row): { dimension: string; id: number }[] =>
  COLUMNS.flatMap((column) => {
    const id = line[column];
    return typeof id === 'number' ? [{ dimension: DIMENSIONS[column], id }] : [];
  });

/** The dimensions that a line is limited by. */
export const dimensionsOf = (line: Row): string[] => chosen(line).map(({ dimension }) => dimension);

/** What a line is limited to, as text: `channel 3 store 7`; one of a whole KPI has `-`. The same as `partKeySql`. */
export const partKeyOf = (line: Row): string =>
  chosen(line)
    .map(({ dimension, id }) => `${dimension} ${id}`)
    .join(' ') || WHOLE;

/** A KPI, or a part of it, as a key. */
export const placeKey = (kpi: unknown, part: string): string => `${String(kpi)} ${part}`;

/** The key of a row of `{kpi_sheet.lines}`. */
export const partKeySql = (alias: string): string =>
  `coalesce(nullif(concat_ws(' ', ${COLUMNS.map((column) => `'${DIMENSIONS[column]} ' || ${alias}.${column}`).join(', ')}), ''), '${WHOLE}')`;

/**
 * Which part of the KPI of the sheet above a line of `alias` counts into: the same if the sheet above has it, otherwise
 * the whole KPI.
 */
export const intoPartSql = (alias: string, lines: string, sheet = `${alias}.parent_sheet_id`): string =>
  `case when exists (select 1 from ${lines} same where same.parent_id = ${sheet} and same.kpi_id = ${alias}.kpi_id
     and ${partKeySql('same')} = ${partKeySql(alias)}) then ${partKeySql(alias)} else '${WHOLE}' end`;

/** Which part of the KPI above each line of a sheet counts into, by `placeKey` of the line. */
export async function intoParts(unit: Unit, sheet: number): Promise<Map<string, string>> {
  const rows = await unit.query<{ key: string; into: string }>(
    `select l.kpi_id || ' ' || ${partKeySql('l')} as key, ${intoPartSql('l', '{kpi_sheet.lines}')} as into
     from {kpi_sheet.lines} l where l.parent_id = $1 and l.parent_sheet_id is not null`,
    [sheet],
  );
  return new Map(rows.map(({ key, into }) => [key, into]));
}

/**
 * What each line is limited to, by name: `Online, Pune`; null = it is of the whole KPI. In the order of the lines. Lines of
 * one KPI that would have the same name say by what they are limited: `South (branch)`.
 */
export async function partNames(unit: Unit, lines: readonly Row[]): Promise<(string | null)[]> {
  const all = lines.flatMap(chosen);
  const names = new Map<string, string>();
  for (const [dimension, own] of Map.groupBy(all, (one) => one.dimension)) {
    const rows = await unit.query<{ id: number; name: string }>(
      `select id, name from {${dimension}} where id = any($1)`,
      [[...new Set(own.map(({ id }) => id))]],
    );
    for (const { id, name } of rows) names.set(`${dimension} ${id}`, name);
  }
  const nameOf = (line: Row, isFull: boolean): string =>
    chosen(line)
      .flatMap(({ dimension, id }) => {
        const name = names.get(`${dimension} ${id}`);
        return name === undefined ? [] : [isFull ? `${name} (${dimension})` : name];
      })
      .join(', ');
  const short = lines.map((line) => nameOf(line, false));
  return lines.map((line, at) => {
    const isShared = lines.some(
      (other, place) => place !== at && other.kpi_id === line.kpi_id && short[place] === short[at],
    );
    return (isShared ? nameOf(line, true) : short[at]) || null;
  });
}

/** A KPI with what its line is limited to. @param update the alias of the update, of which `k` is the KPI */
export const kpiTitleSql = (update: string): string => `concat_ws(', ', k.name, ${update}.part)`;
