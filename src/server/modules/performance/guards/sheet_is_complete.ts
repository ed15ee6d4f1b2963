import { Decimal } from 'decimal.js';
import type { FieldError, WireRecord } from '../../../../descriptor/types.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { FigureOwner, RecordFigure } from '../../../engine/record_figure.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { requiredKpis } from '../mapped_kpis.ts';
import { WHOLE, partKeyOf, partKeySql, partNames, placeKey } from '../line_part.ts';
import { kpisBelow } from '../rolled_up.ts';
import type { Place } from '../rolled_up.ts';
import type { SheetKpi } from '../sheet_lines.ts';
import { ownerOf } from '../sheet_owner.ts';
import { equalsBase, kpisOf, linesOf, needsNumber, numberOf, periodsOf, startMonthOf } from '../sheet_lines.ts';

const shown = (value: Decimal.Value): string => new Decimal(value).toString();

const KINDS: Record<FigureOwner, string> = {
  employee: 'members',
  department: 'departments',
  branch: 'branches',
  store: 'stores',
  board_unit: 'board units',
  entity: 'the company',
};
const kindsOf = (has: RecordFigure['of']): string =>
  Object.keys(has)
    .map((kind) => KINDS[kind as FigureOwner])
    .join(', ');

/** What is wrong with the sheets that the lines count into, and with figures that a unit cannot have. */
async function wrongPlaces(
  unit: Unit,
  record: WireRecord,
  kpis: ReadonlyMap<number, SheetKpi>,
  figures: ReadonlyMap<string, RecordFigure>,
): Promise<FieldError[]> {
  const lines = linesOf(record);
  const above = lines.flatMap(({ parent_sheet_id: id }) => (typeof id === 'number' ? [id] : []));
  const places = await unit.query<Place>(
    `select l.parent_id as sheet_id, l.kpi_id, ${partKeySql('l')} as part_key from {kpi_sheet.lines} l where l.parent_id = any($1)`,
    [above],
  );
  const [circle] = await unit.query<{ kpi_id: number }>(
    `with recursive up as (
       select l.kpi_id, l.parent_sheet_id as sheet, 1 as steps from {kpi_sheet.lines} l where l.parent_id = $1 and l.parent_sheet_id is not null
       union all
       select u.kpi_id, l.parent_sheet_id, u.steps + 1 from up u join {kpi_sheet.lines} l on l.parent_id = u.sheet and l.kpi_id = u.kpi_id
       where l.parent_sheet_id is not null and u.steps < 20)
     select kpi_id from up where sheet = $1 limit 1`,
    [record.id],
  );
  return lines.flatMap((line): FieldError[] => {
    const kpi = kpis.get(line.kpi_id as number);
    if (!kpi) return [];
    const wrong = (message: string) => [{ field: 'lines', message: `${kpi.name} ${message}` }];
    const has = figures.get(kpi.figure ?? '')?.of ?? {};
    if (kpi.source === 'system' && kpi.org_rollup === 'none' && has[ownerOf(record).owner_kind] === undefined)
      return wrong(`cannot be read from records for this sheet, only for: ${kindsOf(has)}.`);
    if (typeof line.parent_sheet_id !== 'number') return [];
    if (kpi.org_rollup === 'none')
      return wrong('is not rolled up. Choose in the KPI how it is, or empty “Counts into”.');
    if (circle?.kpi_id === kpi.id || line.parent_sheet_id === record.id) return wrong('would count into itself.');
    const isThere = places.some(
      (one) =>
        one.sheet_id === line.parent_sheet_id &&
        one.kpi_id === kpi.id &&
        [WHOLE, partKeyOf(line)].includes(one.part_key),
    );
    return isThere ? [] : wrong('is not on the sheet that it counts into. Add it there first.');
  });
}

/** The weights that the ranges of Planning allow for KPIs, in words, and whether they allow one; null = there are none. */
async function weightRanges(unit: Unit): Promise<{ says: string; allow(weight: Decimal): boolean } | null> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{weight_range}') is not null as there`);
  if (!known!.there) return null;
  const ranges = await unit.query<{ name: string; low: string; high: string }>(
    `select name, min_weight::text as low, max_weight::text as high from {weight_range}
     where active and applies_to = 'kpi' order by min_weight`,
  );
  if (ranges.length === 0) return null;
  return {
    says: ranges.map(({ name, low, high }) => `${shown(low)} to ${shown(high)} (${name})`).join(', '),
    allow: (weight) => ranges.some(({ low, high }) => weight.gte(low) && weight.lte(high)),
  };
}

/**
 * A complete sheet has a KPI, weights of 100 in total within the limits of their types and of Weight ranges, and a target for each period
 * (§4).
 */
export const sheetIsComplete: Guard = {
  elevated: true,
  async check({ unit: person, record, services: { recordFigures } }) {
    const unit = person.elevated();
    const lines = linesOf(record);
    const kpis = await kpisOf(unit, lines);
    const startMonth = await startMonthOf(unit);
    const below = record.id === undefined ? new Map<string, Place>() : await kpisBelow(unit, record.id, 'all');
    const parts = await partNames(unit, lines);
    const ranges = await weightRanges(unit);
    const errors: FieldError[] = [];
    let total = new Decimal(0);
    let counted = 0;
    for (const [at, line] of lines.entries()) {
      const known = kpis.get(line.kpi_id as number);
      if (!known) continue;
      const kpi = { ...known, name: [known.name, parts[at]].filter((one) => one !== null).join(', ') };
      const isValid =
        kpi.valid_from <= String(record.valid_to) &&
        (kpi.valid_to === null || kpi.valid_to >= String(record.valid_from));
      if (!isValid)
        errors.push({
          field: 'lines',
          message: `${kpi.name} is valid ${kpi.valid_to === null ? 'from' : 'until'} ${formatDate(kpi.valid_to ?? kpi.valid_from)}. Choose another KPI, or change its days.`,
        });
      const weight = new Decimal(numberOf(line.weight) ?? 0);
      total = total.plus(weight);
      if (kpi.measure === 'metric') {
        if (!weight.isZero())
          errors.push({
            field: 'lines',
            message: `${kpi.name} is a metric and carries no weight. Enter 0, or make it a KPI.`,
          });
      } else {
        counted++;
        if (weight.lessThan(kpi.weight_min) || weight.greaterThan(kpi.weight_max) || weight.isZero())
          errors.push({
            field: 'lines',
            message: `${kpi.name}: its type allows weights from ${shown(kpi.weight_min)} to ${shown(kpi.weight_max)}, above 0.`,
          });
        else if (ranges?.allow(weight) === false)
          errors.push({ field: 'lines', message: `${kpi.name}: KPIs weigh ${ranges.says}. Change the weight.` });
      }
      const missing =
        kpi.achievement_method === 'milestone'
          ? numberOf(line.target_day) === null
          : kpi.achievement_method === 'range'
            ? numberOf(line.range_low) === null || numberOf(line.range_high) === null
            : needsNumber(kpi) &&
              !(below.has(placeKey(kpi.id, partKeyOf(line))) && kpi.target_rollup === 'rollup') &&
              periodsOf(record, kpi.frequency, startMonth).some(({ column }) => numberOf(line[column]) === null);
      if (missing && kpi.measure === 'kpi')
        errors.push({ field: 'lines', message: `${kpi.name} needs a target for each period. Enter it, or spread it.` });
      const base = kpi.achievement_method === 'base_to_target' ? numberOf(line.base_value) : '';
      if (base === null) errors.push({ field: 'lines', message: `${kpi.name} is measured from a base. Enter it.` });
      else if (base !== '') {
        const targets = periodsOf(record, kpi.frequency, startMonth).map(({ column }) => numberOf(line[column]));
        if (targets.some((target) => target !== null && new Decimal(target).equals(base)))
          errors.push({ field: 'lines', message: equalsBase(kpi.name) });
      }
    }
    errors.push(...(await wrongPlaces(unit, record, kpis, recordFigures)));
    const required = record.owner_kind === 'employee' ? await requiredKpis(unit, record) : [];
    for (const { kpi_id: id, kpi } of required)
      if (!kpis.has(id)) errors.push({ field: 'lines', message: `${kpi} is required by a KPI mapping. Add it.` });
    if (counted === 0) errors.push({ field: 'lines', message: 'Add at least one KPI.' });
    else if (!total.equals(100))
      errors.push({
        field: 'lines',
        message: `Weights add up to ${shown(total)}. They must add up to 100. “Spread the difference” does that.`,
      });
    return errors;
  },
};
