import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

/** Codes of the services and parts that the demo company sells, with the tax confirmed by its accountant. */
const SERVICES = ['998718', '9983', '9985', '9997'];
const PARTS = '2710 4010 4016 7312 8301 8425 8431 8481 8504 8507 8536 8537 8544 9030 9031 9405'.split(' ');
const SINCE = '2017-07-01';
const TAX = 'GST18';

/** Sets the taxes of the codes: all clients get the codes, but each one confirms the taxes itself. */
export async function addCodeTaxes(db: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  await db.query(
    `insert into ${s}.hs_code__rates (parent_id, position, valid_from, tax_id)
     select c.id, 0, $3::date, t.id from ${s}.hs_code c join ${s}.tax t on t.code = $2 where c.code = any($1)
       and not exists (select 1 from ${s}.hs_code__rates r where r.parent_id = c.id)`,
    [[...SERVICES, ...PARTS], TAX, SINCE],
  );
}
