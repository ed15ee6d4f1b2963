import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** The conditions of a policy, as they are named in forms. */
const CONDITIONS: Readonly<Record<string, string>> = {
  customer: 'Customer',
  customer_group: 'Customer group',
  client_type: 'Client type',
  amc_type: 'AMC type',
  building_type: 'Building type',
  branch: 'Branch',
};

/** Policies differ only by what their type allows: where it is used, other conditions are not known. */
export default defineHooks({
  async check({ tenant }, record) {
    const [type] = await tenant.db.query<{ name: string; criteria: string[] | null }>(
      `select name, criteria from ${quoted(tenant.schema)}.policy_type_mstr where id = $1`,
      [record.policy_type_id ?? null],
    );
    const allowed = type?.criteria ?? [];
    if (allowed.length === 0) return [];
    const names = allowed.map((name) => CONDITIONS[name] ?? name).join(', ');
    return Object.entries(CONDITIONS).flatMap(([name, title]) =>
      (record[`${name}_id`] ?? null) === null || allowed.includes(name)
        ? []
        : [
            {
              field: `${name}_id`,
              message: `Policies of the type ${type!.name} differ only by: ${names}. Leave ${title} empty.`,
            },
          ],
    );
  },
});
