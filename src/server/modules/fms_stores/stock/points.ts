import type { Unit } from '../../../engine/records/unit.ts';

/** Stock points that are created on first use. */
export type AutomaticKind = 'transit' | 'faulty' | 'quarantine' | 'on_loan' | 'scrap';

const PREFIX: Readonly<Record<AutomaticKind, string>> = {
  transit: 'TRN',
  faulty: 'FLT',
  quarantine: 'QRN',
  on_loan: 'LON',
  scrap: 'SCR',
};
const NAMES: Readonly<Record<AutomaticKind, string>> = {
  transit: 'In transit to',
  faulty: 'Faulty parts of',
  quarantine: 'Quarantine of',
  on_loan: 'On loan from',
  scrap: 'Scrap of',
};

/** The stock point of a kind at the site of another one; created if missing. */
export async function pointOfSite(unit: Unit, kind: AutomaticKind, beside: number): Promise<number> {
  const company = unit.session.entityId;
  const of = async () => {
    const [found] = await unit.query<{ id: number }>(
      `select p.id from {stock_point} p join {storage_location} l on l.id = p.storage_location_id
       where p.entity_id = $1 and p.kind = $2 and p.active
         and l.site_id = (select o.site_id from {stock_point} b join {storage_location} o on o.id = b.storage_location_id where b.id = $3)
       order by p.id limit 1`,
      [company, kind, beside],
    );
    return found ? Number(found.id) : null;
  };
  const there = await of();
  if (there !== null) return there;
  const [site] = await unit.query<{ id: number; code: string; name: string; location: number; keeper: number }>(
    `select s.id, s.code, s.name, p.storage_location_id as location, p.keeper_id as keeper
     from {stock_point} p join {storage_location} l on l.id = p.storage_location_id join {site_mstr} s on s.id = l.site_id
     where p.id = $1 and p.entity_id = $2`,
    [beside, company],
  );
  if (!site) unit.refuse([{ field: '', message: 'Choose a stock point of this company.' }]);
  // Locked, so that two first transfers to a site create one transit point.
  await unit.lock([{ type: 'site_mstr', id: Number(site!.id) }]);
  const made = await of();
  if (made !== null) return made;
  const { id } = await unit.elevated().create('stock_point', {
    code: `${PREFIX[kind]}-${site!.code}`.slice(0, 12),
    name: `${NAMES[kind]} ${site!.name}`,
    storage_location_id: Number(site!.location),
    kind,
    keeper_id: Number(site!.keeper),
  });
  return id;
}

/** The kit of a technician; created on the first issue, beside the issuing store. */
export async function kitOf(unit: Unit, employee: number, store: number): Promise<number> {
  const company = unit.session.entityId;
  const of = async () => {
    const [found] = await unit.query<{ id: number }>(
      `select id from {stock_point} where entity_id = $1 and kind = 'technician' and employee_id = $2 and active order by id limit 1`,
      [company, employee],
    );
    return found ? Number(found.id) : null;
  };
  const there = await of();
  if (there !== null) return there;
  const [from] = await unit.query<{ location: number; keeper: number; name: string; no: string }>(
    `select p.storage_location_id as location, p.keeper_id as keeper, e.name, e.empno as no
     from {stock_point} p, {employee} e where p.id = $1 and e.id = $2`,
    [store, employee],
  );
  if (!from) unit.refuse([{ field: '', message: 'Choose a technician and the store that issues.' }]);
  await unit.lock([{ type: 'employee', id: employee }]);
  const made = await of();
  if (made !== null) return made;
  const { id } = await unit.elevated().create('stock_point', {
    code: `KIT-${from!.no}`.slice(0, 12),
    name: `Kit of ${from!.name}`,
    storage_location_id: Number(from!.location),
    kind: 'technician',
    employee_id: employee,
    keeper_id: Number(from!.keeper),
    supply_from_id: store,
  });
  return id;
}
