import { childTable, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

interface Demanded {
  id: number;
  name: string;
  mandatory: boolean;
  part_of_name: boolean;
}

const valueOf = (record: Record<string, unknown>, id: number) =>
  ((record.attributes ?? []) as { item_attribute_type_id: number; value: string }[]).find(
    (one) => one.item_attribute_type_id === id,
  )?.value;
const SHORT_NAME = 40;

const demandedBy = (tenant: Tenant, category: unknown) =>
  tenant.db.query<Demanded>(
    `select t.id, t.name, coalesce(a.mandatory, false) as mandatory, coalesce(a.part_of_name, false) as part_of_name
     from ${childTable(tenant.schema, 'item_category', 'attributes')} a
     join ${quoted(tenant.schema)}.item_attribute_type t on t.id = a.item_attribute_type_id
     where a.parent_id = $1 order by a.sequence, a.id`,
    [category ?? null],
  );

/** The short name from the attributes that belong into it; nothing while somebody has typed one. */
async function shortName(tenant: Tenant, record: Record<string, unknown>): Promise<{ short_name?: string }> {
  if (typeof record.short_name === 'string' && record.short_name !== '') return {};
  const values = (await demandedBy(tenant, record.item_category_id)).flatMap(({ id, part_of_name: isPart }) =>
    isPart ? (valueOf(record, id) ?? []) : [],
  );
  return values.length === 0 ? {} : { short_name: [record.name, ...values].join(' ').slice(0, SHORT_NAME) };
}

/** The next item code of a category: its letters and five digits. Two new items wait for one another. */
async function nextCode(tenant: Tenant, category: unknown): Promise<string | null> {
  const s = quoted(tenant.schema);
  const [found] = await tenant.db.query<{ prefix: string }>(
    `select code_prefix as prefix, pg_advisory_xact_lock(hashtext('item_code ' || code_prefix)) from ${s}.item_category where id = $1`,
    [category ?? null],
  );
  if (!found) return null;
  const [last] = await tenant.db.query<{ no: number }>(
    `select coalesce(max(substring(item_code from '-([0-9]{1,9})$')::int), 0) as no from ${s}.item_mstr where item_code ~ ('^' || $1 || '-[0-9]{1,9}$')`,
    [found.prefix],
  );
  return `${found.prefix}-${String(last!.no + 1).padStart(5, '0')}`;
}

/**
 * Items have the attributes that their category demands; their code and short name are
 * made where nobody typed them.
 */
export default defineHooks({
  async fill({ tenant }, record) {
    const code = typeof record.item_code === 'string' && record.item_code !== '' ? record.item_code : null;
    return {
      ...(await shortName(tenant, record)),
      item_code: code ?? (await nextCode(tenant, record.item_category_id)),
    };
  },
  async check({ tenant }, record) {
    const missing = (await demandedBy(tenant, record.item_category_id)).filter(
      ({ id, mandatory }) => mandatory && valueOf(record, id) === undefined,
    );
    return missing.map(({ name }) => ({
      field: 'attributes',
      message: `Items of this category need the attribute "${name}".`,
    }));
  },
});
