import type { WireRecord } from '../../../descriptor/types.ts';
import { today } from '../../../descriptor/place.ts';
import type { PlannedMoves } from '../../../domain/organisation/reorganisation.ts';
import type { Relink } from '../../../domain/performance/move_links.ts';
import { api } from '../../api/http.ts';

/** A plan of moves as it is open on the chart. */
export interface OpenPlan {
  /** Null = not saved yet. */
  id: number | null;
  version: number;
  name: string;
  from: string;
  reason: string;
  status: string;
  /** What waits for the former managers moves to the new ones. */
  movesOpen: boolean;
  moves: PlannedMoves;
  /** The moves as they were saved. */
  storedMoves: PlannedMoves;
  /** What else a move brings, as entered on the page of the plan. */
  places: ReadonlyMap<number, Place>;
  /** KPIs that count into other sheets from then on, by member. */
  links: ReadonlyMap<number, readonly Relink[]>;
}

interface Place {
  new_department_id: number | null;
  new_designation_id: number | null;
}

const QUIET = { quiet: true };

export const newPlan = (): OpenPlan => ({
  id: null,
  version: 0,
  name: '',
  from: today(),
  reason: '',
  status: 'draft',
  movesOpen: false,
  moves: new Map(),
  storedMoves: new Map(),
  places: new Map(),
  links: new Map(),
});

function planOf(record: WireRecord): OpenPlan {
  const rows = (record.moves ?? []) as ({ employee_id: number; to_manager_id: number | null } & Place)[];
  const links = (record.links ?? []) as (Omit<Relink, 'to'> & {
    employee_id: number;
    to_sheet_id?: number | null;
  })[];
  const moves = new Map(rows.map((row) => [row.employee_id, row.to_manager_id ?? null]));
  return {
    id: record.id,
    version: record.version,
    name: String(record.name),
    from: String(record.effective_on),
    reason: String(record.reason),
    status: String(record.status),
    movesOpen: record.moves_open === true,
    moves,
    storedMoves: moves,
    places: new Map(
      rows.map(({ employee_id: id, new_department_id, new_designation_id }) => [
        id,
        { new_department_id, new_designation_id },
      ]),
    ),
    links: new Map(
      [...Map.groupBy(links, ({ employee_id: id }) => id)].map(([id, own]) => [
        id,
        own.map(({ sheet_id, kpi_id, part_key = '-', to_sheet_id: to = null }) => ({
          sheet_id,
          kpi_id,
          part_key,
          to,
        })),
      ]),
    ),
  };
}

export async function loadPlan(id: number): Promise<OpenPlan> {
  return planOf((await api.get<{ data: WireRecord }>(`/tapi/org_plan/${id}`, undefined, QUIET)).data);
}

/** Saves a plan with all its moves. */
export async function savePlan(plan: OpenPlan): Promise<OpenPlan> {
  const { id, version, name, from, reason, movesOpen, moves, places, links } = plan;
  const body = {
    name,
    effective_on: from,
    reason,
    moves_open: movesOpen,
    moves: [...moves].map(([employee, to]) => ({ employee_id: employee, to_manager_id: to, ...places.get(employee) })),
    links: [...moves.keys()].flatMap((employee) =>
      (links.get(employee) ?? []).map(({ sheet_id, kpi_id, part_key = '-', to }) => ({
        employee_id: employee,
        sheet_id,
        kpi_id,
        part_key,
        to_sheet_id: to,
      })),
    ),
  };
  const { data } = await (id === null
    ? api.post<{ data: WireRecord }>('/tapi/org_plan', body, QUIET)
    : api.put<{ data: WireRecord }>(`/tapi/org_plan/${id}`, { ...body, version }, QUIET));
  return planOf(data);
}

/** Takes a saved plan one step further. */
export async function stepPlan({ id, version }: OpenPlan, step: 'apply' | 'schedule' | 'take_back'): Promise<OpenPlan> {
  return planOf((await api.post<{ data: WireRecord }>(`/tapi/org_plan/${id}/${step}`, { version }, QUIET)).data);
}
