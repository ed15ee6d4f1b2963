import type { FigureOwner } from '../../engine/record_figure.ts';

/** Whose sheet it is: a member's or a unit's. */
export type OwnerKind = FigureOwner;

/** The owner of a sheet; updates and scores have the same columns. */
export interface SheetOwner {
  owner_kind: OwnerKind;
  /** The member; null = it is a unit's. */
  employee_id: number | null;
  responsible_id: number | null;
  unit_name: string | null;
  department_id: number | null;
  branch_id: number | null;
  store_id: number | null;
  board_unit_id: number | null;
}

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The owner in a record. */
export const ownerOf = (record: Readonly<Record<string, unknown>>): SheetOwner => ({
  owner_kind: (record.owner_kind ?? 'employee') as OwnerKind,
  employee_id: idOf(record.employee_id),
  responsible_id: idOf(record.responsible_id) ?? idOf(record.employee_id),
  unit_name: typeof record.unit_name === 'string' ? record.unit_name : null,
  department_id: idOf(record.department_id),
  branch_id: idOf(record.branch_id),
  store_id: idOf(record.store_id),
  board_unit_id: idOf(record.board_unit_id),
});

/** Columns that tell whose a row of `alias` is. */
export const ownerColumns = (alias: string): string =>
  [
    'owner_kind',
    'employee_id',
    'responsible_id',
    'unit_name',
    'department_id',
    'branch_id',
    'store_id',
    'board_unit_id',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ');

/**
 * The condition that rows of `alias` belong to an owner, in the company of the session; its values begin with `$first`. A
 * member keeps their rows in another department; a unit is known by what it is a unit of.
 */
export function belongsTo(
  alias: string,
  owner: SheetOwner,
  entityId: number | null,
  first: number,
): { sql: string; values: unknown[] } {
  if (owner.owner_kind === 'employee') return { sql: `${alias}.employee_id = $${first}`, values: [owner.employee_id] };
  const at = (place: number) => `$${first + place}`;
  return {
    sql: `${alias}.employee_id is null and ${alias}.entity_id = ${at(0)} and ${alias}.owner_kind = ${at(1)}
      and (${alias}.department_id, ${alias}.branch_id, ${alias}.store_id, ${alias}.board_unit_id)
        is not distinct from (${at(2)}::bigint, ${at(3)}::bigint, ${at(4)}::bigint, ${at(5)}::bigint)`,
    values: [entityId, owner.owner_kind, owner.department_id, owner.branch_id, owner.store_id, owner.board_unit_id],
  };
}

/** Whether scores of `a` are of the member, or of the unit, of a sheet `b`: apart, so that members are found by their index. */
export const sameMember = (a: string, b: string): string => `${a}.employee_id = ${b}.employee_id`;
export const sameUnit = (a: string, b: string): string =>
  `${a}.employee_id is null and ${a}.entity_id = ${b}.entity_id and ${a}.owner_kind = ${b}.owner_kind
   and (${a}.department_id, ${a}.branch_id, ${a}.store_id, ${a}.board_unit_id)
     is not distinct from (${b}.department_id, ${b}.branch_id, ${b}.store_id, ${b}.board_unit_id)`;

/** The id of the owner of a row of `alias`; of a company its own. */
export const ownerIdSql = (alias: string): string =>
  `case ${alias}.owner_kind when 'employee' then ${alias}.employee_id when 'department' then ${alias}.department_id
     when 'branch' then ${alias}.branch_id when 'store' then ${alias}.store_id
     when 'board_unit' then ${alias}.board_unit_id else ${alias}.entity_id end`;

/** The id of an owner; of a company its own. */
export function ownerIdOf(owner: SheetOwner, company: number | null): number | null {
  const { owner_kind: kind } = owner;
  return kind === 'entity' ? company : owner[`${kind}_id`];
}
