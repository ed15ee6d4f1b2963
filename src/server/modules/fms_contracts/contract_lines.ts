import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** A contract line with the columns of its own type; money is an exact decimal as text. */
export interface Line extends Row {
  id: number;
  lift_id: number;
  building_id: number | null;
  cover_kind: 'amc' | 'warranty' | 'operations' | 'on_call';
  amc_type_id: number;
  from_on: string;
  to_on: string;
  rate: string;
  discount: string;
  net: string;
  visits_per_year: number | null;
  line_status: 'draft' | 'active' | 'held' | 'moved' | 'closed' | 'cancelled';
  year_prices: { year_no: number; from_on: string; to_on: string; price: string }[];
}

/** The lines of a contract. */
export const linesOf = (contract: Readonly<Row>): Line[] => (contract.lines ?? []) as Line[];

/** Lines that cover their lift now or later. */
export const isRunning = ({ line_status: status }: Pick<Line, 'line_status'>): boolean =>
  status === 'active' || status === 'held';

const competing: Readonly<Record<string, readonly string[]>> = {
  amc: ['amc', 'warranty', 'operations'],
  warranty: ['amc', 'warranty'],
  operations: ['amc', 'operations'],
  on_call: [],
};

/** A line whose lift is in another contract on the same days. */
export interface Overlap {
  line: Line;
  lift_no: string;
  contract_no: string | null;
  to_on: string;
}

/**
 * Lines whose lift is in an active line of another contract on one of their days (3.2 of the design of field service; a
 * warranty may overlap operations).
 * @param except lines that close in the same transaction
 */
export async function overlapsOf(
  unit: Unit,
  lines: readonly Line[],
  except: readonly number[] = [],
): Promise<Overlap[]> {
  if (lines.length === 0) return [];
  const rows = await unit.query<{ of: number; lift_no: string; contract_no: string | null; to_on: string }>(
    `select distinct on (x.of) x.of, f.lift_no, c.contract_no, l.to_on::text as to_on
     from jsonb_to_recordset($1::jsonb) x("of" int, id bigint, lift_id bigint, from_on date, to_on date, kinds text[])
     join {contract_line} l on l.lift_id = x.lift_id and l.id <> x.id and l.line_status in ('active', 'held') and l.cover_kind = any(x.kinds)
       and l.from_on <= x.to_on and l.to_on >= x.from_on and l.active and l.id <> all($2::bigint[])
     join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id
     order by x.of, l.to_on desc`,
    [
      JSON.stringify(
        lines.map(({ id, lift_id, from_on, to_on, cover_kind: kind }, of) => ({
          of,
          id: id ?? 0,
          lift_id,
          from_on,
          to_on,
          kinds: competing[kind] ?? [],
        })),
      ),
      except,
    ],
  );
  return rows.map(({ of, ...row }) => ({ line: lines[of]!, ...row }));
}

/** A day in Indian format, from YYYY-MM-DD. */
export const readableDay = (day: string): string => day.split('-').toReversed().join('-');

/** The message for an overlap, with the remedies. */
export const overlapMessage = ({ lift_no: lift, contract_no: contract, to_on: to }: Overlap): string =>
  `Lift ${lift} is under ${contract ?? 'another contract'} until ${readableDay(to)}. Choose a later start, or merge or cancel that contract.`;

/** Changes columns of lines of one contract in any state, and adds lines. */
export async function changeLines(
  unit: Unit,
  contractId: number,
  set: ReadonlyMap<number, Row>,
  add: readonly Row[] = [],
  fields: Row = {},
): Promise<WireRecord> {
  const lines = {
    ...(set.size > 0 && { set: Object.fromEntries([...set].map(([id, row]) => [String(id), row])) }),
    ...(add.length > 0 && { add: [...add] }),
  };
  return unit.update('contract', contractId, { ...fields, ...(Object.keys(lines).length > 0 && { lines }) });
}

/** The transition that brings a lift to the state of its lines on a day; null = none is needed or allowed. */
export function liftStep(
  status: string,
  covered: { contract: boolean; warranty: boolean },
): 'take_on' | 'leave_contract' | null {
  if (covered.contract)
    return ['under_installation', 'in_warranty', 'out_of_contract'].includes(status) ? 'take_on' : null;
  if (covered.warranty) return null;
  return ['in_contract', 'in_warranty'].includes(status) ? 'leave_contract' : null;
}

/** Sets the states of lifts from their lines on a day; a lift that is shut down keeps its state. */
export async function deriveLiftStates(unit: Unit, lifts: readonly number[], day: string): Promise<void> {
  if (lifts.length === 0) return;
  const rows = await unit.query<{ id: number; status: string; contract: boolean; warranty: boolean }>(
    `select f.id, f.status,
       coalesce(bool_or(l.cover_kind <> 'warranty'), false) as contract,
       coalesce(bool_or(l.cover_kind = 'warranty'), false) or coalesce(f.warranty_to >= $2::date, false) as warranty
     from {lift} f left join {contract_line} l on l.lift_id = f.id and l.active and l.line_status in ('active', 'held')
       and l.from_on <= $2::date and l.to_on >= $2::date
     where f.id = any($1::bigint[]) group by f.id order by f.id`,
    [lifts, day],
  );
  for (const { id, status, contract, warranty } of rows) {
    const step = liftStep(status, { contract, warranty });
    if (step !== null) await unit.takeAuto('lift', id, step);
  }
}
