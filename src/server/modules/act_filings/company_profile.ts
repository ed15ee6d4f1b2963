import type { CompanyProfile } from '../../../domain/act_filings/applicability.ts';
import { appliesTo } from '../../../domain/act_filings/applicability.ts';
import type { Unit } from '../../engine/records/unit.ts';

interface Found {
  employees: number;
  branches: number;
  turnover: string;
  kinds: string[];
  listed: boolean;
}

/** The facts of a company from its members, branches and registrations that decide which acts apply. */
export async function companyProfile(unit: Unit): Promise<CompanyProfile> {
  const [found] = await unit.query<Found>(
    `select (select count(*)::int from {employee} where entity_id = $1 and active and status <> 'left') as employees,
       (select count(*)::int from {branch} where entity_id = $1 and active) as branches,
       coalesce(max(case turnover_band when 'gt_5cr' then 5 when '1_5_to_5cr' then 1.5 else 0 end), 0)::text as turnover,
       coalesce(array_agg(distinct unit_type) filter (where unit_type is not null), '{}') as kinds,
       coalesce(bool_or(unit_type = 'cin' and unit_no ilike 'L%'), false) as listed
     from {compliance_unit} where entity_id = $1 and active`,
    [unit.session.entityId],
  );
  const { employees, branches, turnover, kinds, listed } = found!;
  return {
    employees,
    branches,
    turnover: Number(turnover),
    gst_registered: kinds.includes('gstin'),
    deducts_tax: kinds.includes('tan'),
    factory: kinds.includes('factory_licence'),
    listed,
  };
}

export interface ActOfCompany {
  id: number;
  short_name: string;
  applies: boolean;
  /** The act that replaces it. */
  replaced_by: string | null;
}

/**
 * Each act in use, and whether it applies to the company: by its condition, its days, and the branches in its state.
 */
export async function actsOfCompany(unit: Unit, profile: CompanyProfile, today: string): Promise<ActOfCompany[]> {
  const acts = await unit.query<Omit<ActOfCompany, 'applies'> & { applies_when: string | null; here: boolean }>(
    `select a.id, a.short_name, a.applies_when, (select r.short_name from {statutory_act} r where r.id = a.replaced_by_id and r.active) as replaced_by,
       (a.effective_from is null or a.effective_from <= $2::date) and (a.effective_to is null or a.effective_to >= $2::date)
         and (a.level <> 'state' or a.state_id is null or exists (select 1 from {branch} b where b.entity_id = $1 and b.active and b.state_id = a.state_id)
           or exists (select 1 from {compliance_unit} u where u.entity_id = $1 and u.active and u.state_id = a.state_id)) as here
     from {statutory_act} a where a.active order by a.id`,
    [unit.session.entityId, today],
  );
  return acts.map(({ id, short_name: name, replaced_by: next, applies_when: condition, here }) => ({
    id,
    short_name: name,
    replaced_by: next,
    applies: here && appliesTo(condition, profile),
  }));
}
