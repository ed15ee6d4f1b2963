import type { Unit } from '../../engine/records/unit.ts';

/** The stores settings that requests use, with the shipped defaults. */
interface RequestSetting {
  cover_days: number;
  return_days: number;
  return_block_count: number;
  kit_value_limit: string;
  emergency_limit: string;
  lateral_transfer: boolean;
  min_margin: string;
  quotation_days: number;
  same_person_may_approve_both: boolean;
}

/** Limits and periods from the stores settings for requests. */
export async function storesSetting(unit: Unit): Promise<RequestSetting> {
  const [row] = await unit.query<Partial<RequestSetting>>('select * from {fms_stores_setting} order by id limit 1');
  return {
    cover_days: row?.cover_days ?? 30,
    return_days: row?.return_days ?? 7,
    return_block_count: row?.return_block_count ?? 5,
    kit_value_limit: row?.kit_value_limit ?? '25000.00',
    emergency_limit: row?.emergency_limit ?? '10000.00',
    lateral_transfer: row?.lateral_transfer ?? true,
    min_margin: row?.min_margin ?? '20',
    quotation_days: row?.quotation_days ?? 30,
    same_person_may_approve_both: row?.same_person_may_approve_both ?? false,
  };
}
