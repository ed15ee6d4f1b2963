import { existingTables } from '../../db/existing_tables.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { defineHooks, inBatch } from '../../engine/records/hooks.ts';

type Row = Record<string, unknown>;

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
/** The maximum number of stock points that a message names. */
const NAMED = 3;

const demandedBy = (session: Session, category: unknown) =>
  inBatch(session, `demanded ${String(category)}`, () =>
    session.tenant.db.query<Demanded>(
      `select t.id, t.name, coalesce(a.mandatory, false) as mandatory, coalesce(a.part_of_name, false) as part_of_name
       from ${childTable(session.tenant.schema, 'item_category', 'attributes')} a
       join ${quoted(session.tenant.schema)}.item_attribute_type t on t.id = a.item_attribute_type_id
       where a.parent_id = $1 order by a.sequence, a.id`,
      [category ?? null],
    ),
  );

/** The short name from the attributes that belong into it; nothing while somebody has typed one. */
async function shortName(session: Session, record: Record<string, unknown>): Promise<{ short_name?: string }> {
  if (typeof record.short_name === 'string' && record.short_name !== '') return {};
  const values = (await demandedBy(session, record.item_category_id)).flatMap(({ id, part_of_name: isPart }) =>
    isPart ? (valueOf(record, id) ?? []) : [],
  );
  return values.length === 0 ? {} : { short_name: [record.name, ...values].join(' ').slice(0, SHORT_NAME) };
}

/**
 * The next item code of a category: its letters and five digits. Two new items wait for one another; those of one batch
 * are stored later and count too.
 */
async function nextCode(session: Session, category: unknown): Promise<string | null> {
  const { tenant } = session;
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
  const given = inBatch(session, 'item codes', () => new Map<string, number>());
  const next = Math.max(last!.no, given.get(found.prefix) ?? 0) + 1;
  given.set(found.prefix, next);
  return `${found.prefix}-${String(next).padStart(5, '0')}`;
}

/** What the movements of an item are counted in; it stays as it is once there is one. */
const COUNTED_BY = ['stock_uom_id', 'tracking'];
/** Its tax: a person corrects it in the form, a file does not change it for many items. */
const NOT_BY_FILE = ['hs_code_id'];

/** Refuses another unit or tracking for an item with movements: its quantities would mean something else (5.16). */
async function movedErrors({ tenant, origin }: Session, record: Row, stored: Row | null): Promise<FieldError[]> {
  const kept = origin === 'import' ? [...COUNTED_BY, ...NOT_BY_FILE] : COUNTED_BY;
  const changed = stored ? kept.filter((name) => record[name] !== stored[name]) : [];
  if (changed.length === 0 || !(await existingTables(tenant.db, tenant.schema)).has('stock_ledger')) return [];
  const moved = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.stock_ledger where item_id = $1 limit 1`,
    [stored!.id],
  );
  const code = String(stored!.item_code);
  return (moved.length === 0 ? [] : changed).map((field) => ({
    field,
    message: NOT_BY_FILE.includes(field)
      ? `${code} has movements. Change its HS code in the item's form.`
      : `${code} has movements. Make a new item and set it as replacement.`,
  }));
}

/**
 * Items have the attributes that their category demands; their code and short name are made where nobody typed them. An
 * item in stock stays in use.
 */
export default defineHooks({
  async fill(session, record) {
    const code = typeof record.item_code === 'string' && record.item_code !== '' ? record.item_code : null;
    const barcodes = (record.barcodes ?? []) as { barcode: string }[];
    return {
      ...(await shortName(session, record)),
      scanned_as:
        barcodes.length === 0
          ? null
          : barcodes
              .map(({ barcode }) => barcode)
              .join(' ')
              .slice(0, 1000),
      purchase_uom_id: record.purchase_uom_id ?? record.stock_uom_id ?? null,
      sale_uom_id: record.sale_uom_id ?? record.stock_uom_id ?? null,
      item_code: code ?? (await nextCode(session, record.item_category_id)),
    };
  },
  async check(session, record, stored) {
    const missing = (await demandedBy(session, record.item_category_id)).filter(
      ({ id, mandatory }) => mandatory && valueOf(record, id) === undefined,
    );
    return [
      ...missing.map(({ name }) => ({
        field: 'attributes',
        message: `Items of this category need the attribute "${name}".`,
      })),
      ...(await movedErrors(session, record, stored)),
    ];
  },
  async leave({ tenant }, stored, how) {
    if (how === 'activate' || !(await existingTables(tenant.db, tenant.schema)).has('stock_balance')) return null;
    const s = quoted(tenant.schema);
    const rows = await tenant.db.query<{ code: string }>(
      `select distinct p.code from ${s}.stock_balance b join ${s}.stock_point p on p.id = b.stock_point_id
       where b.item_id = $1 and b.on_hand > 0 order by p.code limit ${NAMED + 1}`,
      [stored.id],
    );
    const codes = rows.map(({ code }) => code);
    const where = codes.length > NAMED ? `${codes.slice(0, NAMED).join(', ')} and others` : codes.join(', ');
    return codes.length === 0 ? null : `${String(stored.item_code)} is still in stock at ${where}.`;
  },
});
