import { gstinsOf } from '../gstins.ts';
import type { Fill } from '../../../engine/modules.ts';

const SHOWN = 5;
/** How alike two names are, from 0 to 1, that may belong to one customer. */
const LIKENESS = 0.55;
/** Names less alike than this, legal form and all, are not compared closely: that takes longer than the rest. */
const DISTANT = 0.1;

interface Alike {
  id: number;
  name: string;
  no: string;
  same_gstin: boolean;
  same_phone: boolean;
}

/** A name without its legal form and punctuation, which many names share. */
const bare = (name: string): string =>
  `regexp_replace(regexp_replace(lower(${name}), '\\m(pvt|private|ltd|limited|llp|the|and|co|company)\\M', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`;

/** Links to the customers that a new one may already be: with its GSTIN, its phone, or nearly its name. Never stored. */
export const similarCustomers: Fill = {
  async run({ unit, record }) {
    if (!unit.preview || typeof record.id === 'number') return { similar: null };
    const rows = await unit.query<Alike>(
      `select * from (
         select c.id, c.name, c.customer_no as no, coalesce(c.phone = $3, false) as same_phone,
           exists (select 1 from {customer_dtl.gst_registrations} r where r.parent_id = c.id and r.gstin = any($4::text[])) as same_gstin,
           case when $2::text is null or public.similarity(c.name, $2::text) < ${DISTANT} then 0 else public.similarity(${bare('c.name')}, ${bare('$2::text')}) end as likeness
         from {customer_dtl} c where c.entity_id = $1 and c.active) x
       where same_gstin or same_phone or likeness >= $5 order by same_gstin desc, same_phone desc, likeness desc, id limit ${SHOWN}`,
      [unit.session.entityId, record.name ?? null, record.phone ?? null, gstinsOf(record), LIKENESS],
    );
    const lines = rows.map(({ id, name, no, same_gstin: gstin, same_phone: phone }) => {
      const why = gstin ? 'same GSTIN' : phone ? 'same phone' : 'similar name';
      return `- [${inLink(`${name} (${no})`)}](/customer_dtl/view/${id}): ${why}`;
    });
    return { similar: lines.join('\n') || null };
  },
};

/** A name as the text of a link: its brackets would end it. */
const inLink = (name: string): string => name.replaceAll(/[[\]\\]/g, String.raw`\$&`);
