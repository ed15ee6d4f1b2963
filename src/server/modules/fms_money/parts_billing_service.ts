import type { Unit } from '../../engine/records/unit.ts';

/** The service with which parts are billed. @throws AppError 422 if there is none */
export async function partsBillingService(unit: Unit): Promise<number> {
  const [service] = await unit.query<{ id: number }>(
    `select id from {fmsservice} where active and service_kind in ('parts', 'repair', 'other')
     order by array_position(array['parts', 'repair', 'other'], service_kind), id limit 1`,
  );
  if (!service)
    unit.refuse([{ field: 'lines', message: 'There is no service of kind "Spare parts" to bill with. Add one.' }]);
  return Number(service!.id);
}
