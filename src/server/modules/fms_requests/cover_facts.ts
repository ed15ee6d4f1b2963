import { Exact } from '../../../descriptor/exact.ts';
import type { CoveringContract, LineCover } from '../../../domain/fms_stores/cover.ts';
import { lineCover } from '../../../domain/fms_stores/cover.ts';
import { priceOn } from '../../../domain/fms_stores/selling_price.ts';
import { dayOfRecord } from '../../engine/records/day_of_record.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { contractOfLift } from './contract_of_lift.ts';
import type { LiftContract } from './contract_of_lift.ts';

type Row = Record<string, unknown>;

/** A line of a request with the data of its part. */
interface PartOfLine {
  item: number | null;
  sparePart: number | null;
  group: number | null;
  groupName: string | null;
  isConsumable: boolean;
  qty: string;
  position: string | null;
}

/** Cover of a line with the price that it is based on; `cover` null: this kind of request needs no cover. */
export interface CoveredLine {
  price: string | null;
  cover: LineCover | null;
  because: string;
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
/** Requests whose parts go to a lift; for kits and stores, cover is decided when the part is used. */
const FOR_LIFTS = new Set(['breakdown', 'preventive', 'repair', 'modernisation']);

/** The lines with their items, spare parts and groups. `exact`: by the item and quantity of the engineer's approval. */
async function partsOf(unit: Unit, lines: readonly Row[], exact: boolean): Promise<PartOfLine[]> {
  const itemOf = (line: Row) => (exact ? numberOf(line.approved_item_id) : null) ?? numberOf(line.item_id);
  const items = await unit.query<{
    id: number;
    group: number | null;
    name: string | null;
    spare: number | null;
    consumable: boolean;
  }>(
    `select i.id, i.spare_group_id as group, g.name, i.spare_part_id as spare,
       coalesce(g.is_consumable, false) or exists (select 1 from {material_mstr} m where m.id = i.material_id and m.is_consumable) as consumable
     from {item_mstr} i left join {spare_group_master} g on g.id = i.spare_group_id where i.id = any($1::bigint[])`,
    [lines.map(itemOf).filter((id) => id !== null)],
  );
  const materials = await unit.query<{
    id: number;
    group: number;
    name: string;
    spare: number | null;
    consumable: boolean;
  }>(
    `select m.id, m.spare_group_id as group, g.name, m.default_spare_part_id as spare,
       coalesce(g.is_consumable, false) or coalesce(m.is_consumable, false) as consumable from {material_mstr} m
     join {spare_group_master} g on g.id = m.spare_group_id where m.id = any($1::bigint[])`,
    [lines.map(({ material_id: id }) => numberOf(id)).filter((id) => id !== null)],
  );
  return lines.map((line) => {
    const item = itemOf(line);
    const known = items.find(({ id }) => id === item);
    const material = materials.find(({ id }) => id === line.material_id);
    return {
      item,
      sparePart: known?.spare ?? material?.spare ?? null,
      group: known?.group ?? material?.group ?? null,
      isConsumable: known?.consumable ?? material?.consumable ?? false,
      groupName: known?.name ?? material?.name ?? null,
      qty: String((exact ? line.approved_qty : null) ?? line.qty ?? 0),
      position: textOf(line.lift_position),
    };
  });
}

/**
 * Prices of items in a branch on a day, of one stock unit each (5.12). A price in another currency is converted at its
 * rate of that day; without a rate there is no price.
 */
export async function sellingPrices(
  unit: Unit,
  items: readonly number[],
  branch: number | null,
  day: string,
  kind: 'selling' | 'exchange_credit' = 'selling',
): Promise<Map<number, { rate: string; minRate: string | null; maxDiscount: string | null }>> {
  const rows = await unit.query<{
    item: number;
    branch: number | null;
    rate: string;
    min_rate: string | null;
    max_discount: string | null;
    from: string;
    to: string | null;
  }>(
    `select p.item_mstr_id as item, p.branch_id as branch, round(p.rate * c.factor, 2)::text as rate,
       round(p.min_rate * c.factor, 2)::text as min_rate, p.max_discount, p.valid_from::text as from, p.valid_to::text as to
     from {price_mstr} p
     cross join lateral (select case when coalesce(k.is_base, false) or not exists (select 1 from {currency_setting} b where b.is_base) then 1 else
         (select r.rate_to_base from {currency_setting.rates} r where r.parent_id = k.id and r.valid_from <= $4::date order by r.valid_from desc limit 1)
       end as factor from {currency_setting} k where k.id = p.currency_id) c
     where p.active and p.kind = $3 and p.entity_id = $2 and p.item_mstr_id = any($1::bigint[]) and c.factor is not null`,
    [items, unit.session.entityId, kind, day],
  );
  const found = new Map<number, { rate: string; minRate: string | null; maxDiscount: string | null }>();
  for (const item of new Set(items)) {
    const price = priceOn(
      rows.filter((row) => row.item === item),
      branch,
      day,
    );
    if (price) found.set(item, { rate: price.rate, minRate: price.min_rate, maxDiscount: price.max_discount });
  }
  return found;
}

/** The end of warranty of the same part in the same position of a lift, by its item or spare part. */
async function partWarranty(unit: Unit, lift: number, part: PartOfLine): Promise<string | null> {
  if (part.item === null && part.sparePart === null) return null;
  const [row] = await unit.query<{ to: string | null }>(
    `select max(warranty_to)::text as to from {lift_part} where active and lift_id = $1 and removed_on is null
       and (item_id = $2 or spare_part_id = $3) and position is not distinct from coalesce($4, position)`,
    [lift, part.item, part.sparePart, part.position],
  );
  return row?.to ?? null;
}

/** Cover by AMC type for each group, and whether the group is charged during the lift's warranty. */
async function groupCover(unit: Unit, groups: readonly number[], amcType: number | null) {
  return unit.query<{
    group: number;
    treatment: 'free' | 'chargeable' | 'shared';
    share: string | null;
    limit_qty: string | null;
    is_of_type: boolean;
    is_warranty: boolean;
  }>(
    `select c.parent_id as group, c.treatment, c.customer_share as share, c.yearly_limit_qty as limit_qty,
       coalesce(c.amc_type_mstr_id = $2, false) as is_of_type, a.coverage = 'warranty' as is_warranty
     from {spare_group_master.cover} c join {amc_type_mstr} a on a.id = c.amc_type_mstr_id where c.parent_id = any($1::bigint[])`,
    [groups, amcType],
  );
}

/** The used part of the yearly limits, excluding the request itself: money, and pieces by group. */
async function usedThisYear(unit: Unit, contract: LiftContract, day: string, request: number | null) {
  const rows = await unit.query<{ group: number | null; free: string; qty: string }>(
    `select i.spare_group_id as group, sum(l.free) as free, sum(coalesce(l.approved_qty, l.qty)) as qty
     from {mr.lines} l join {mr} m on m.id = l.parent_id left join {item_mstr} i on i.id = coalesce(l.approved_item_id, l.item_id)
     where m.active and m.contract_id = $1 and m.id is distinct from $4 and l.cover = 'contract'
       and l.line_status in ('released', 'planned', 'ready', 'issued', 'used', 'closed')
       and m.mr_date >= $2::date and m.mr_date <= $3::date group by i.spare_group_id`,
    [contract.id, contract.yearFrom, day, request],
  );
  return {
    money: rows.reduce((sum, { free }) => sum.plus(free ?? 0), new Exact(0)),
    pieces: new Map(rows.map(({ group, qty }) => [group, new Exact(qty)])),
  };
}

/**
 * Cover of each line of a request (5.8), in order: what a line uses of a yearly limit is not available to the next one.
 * `forLift`: for any type of request. `exact`: by the items and quantities of the technical approval. `day` is
 * YYYY-MM-DD; default: that of the request.
 */
export async function coverOfLines(
  unit: Unit,
  record: Row,
  { exact = false, forLift = false, day = textOf(record.mr_date) ?? dayOfRecord(unit, record) } = {},
): Promise<{ contract: number | null; lines: CoveredLine[] }> {
  const lines = (record.lines ?? []) as Row[];
  const parts = await partsOf(unit, lines, exact);
  const prices = await sellingPrices(
    unit,
    parts.flatMap(({ item }) => item ?? []),
    numberOf(record.branch_id),
    day,
  );
  const priceOf = ({ item, qty }: PartOfLine) => {
    const price = item === null ? undefined : prices.get(item);
    return price ? new Exact(price.rate).times(qty).toDecimalPlaces(2).toFixed(2) : null;
  };
  const [type] = await unit.query<{ kind: string }>('select kind from {mr_type} where id = $1', [
    record.mr_type_id ?? null,
  ]);
  const lift = numberOf(record.lift_id);
  if (lift === null || (!forLift && (!type || !FOR_LIFTS.has(type.kind))))
    return {
      contract: null,
      lines: parts.map((part) => ({
        price: priceOf(part),
        cover: null,
        because:
          lift === null
            ? 'No lift: cover is decided when the part is used.'
            : 'Cover is decided when the part is used.',
      })),
    };
  const [cause] = await unit.query<{ name: string; override: 'none' | 'chargeable' | 'free'; fault: boolean }>(
    `select name, coalesce(cover_override, 'none') as override, coalesce(customer_fault, false) as fault from {root_cause_mstr} where id = $1`,
    [record.root_cause_id ?? null],
  );
  const [warranty] = await unit.query<{ to: string | null }>(
    'select warranty_to::text as to from {lift} where id = $1',
    [lift],
  );
  const contract = await contractOfLift(unit, lift, day);
  const groups = await groupCover(
    unit,
    parts.flatMap(({ group }) => group ?? []),
    contract?.amcType ?? null,
  );
  const used = contract ? await usedThisYear(unit, contract, day, numberOf(record.id)) : null;
  const covered: CoveredLine[] = [];
  for (const part of parts) {
    const price = priceOf(part);
    const ofGroup = groups.filter(({ group }) => group === part.group);
    const says = ofGroup.find(({ is_of_type: isOfType }) => isOfType);
    const covering: CoveringContract | null = contract && {
      no: contract.no,
      from: contract.from,
      to: contract.to,
      isSuspended: contract.isSuspended,
      treatment: says?.treatment ?? (part.isConsumable && contract.consumables ? 'free' : null),
      share: says?.share ?? contract.share,
      limit: contract.limit,
      used: used!.money.toFixed(2),
      limitQty: says?.limit_qty ?? null,
      usedQty: (used!.pieces.get(part.group) ?? new Exact(0)).toString(),
    };
    const cover = lineCover({
      day,
      cause: cause ? { name: cause.name, override: cause.override, isCustomerFault: cause.fault } : null,
      group: part.groupName,
      partWarrantyTo: await partWarranty(unit, lift, part),
      liftWarrantyTo: warranty?.to ?? null,
      isChargedInWarranty: ofGroup.some((one) => one.is_warranty && one.treatment === 'chargeable'),
      contract: covering,
      price: price ?? '0',
      qty: part.qty,
    });
    if (used && cover.cover === 'contract') {
      used.money = used.money.plus(cover.free);
      used.pieces.set(part.group, (used.pieces.get(part.group) ?? new Exact(0)).plus(part.qty));
    }
    covered.push({ price, cover, because: cover.reason });
  }
  return { contract: contract?.inForce ? contract.id : null, lines: covered };
}
