import type { WireRecord } from '../../../../descriptor/types.ts';
import { PLATFORM_ZONE } from '../../../db/subscription.ts';
import { dayIn } from '../../../services/clock/client_day.ts';
import { subDomainState } from '../../../platform/clients/provision.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { stateOfCity } from '../guards/ready_for_client.ts';

const YEAR_MS = 365 * 86_400_000;
const day = (at: number) => dayIn(PLATFORM_ZONE, at);

/** Makes the draft of a client of a lead, and links the two. */
async function clientOfLead(unit: Unit, lead: WireRecord): Promise<void> {
  const { session } = unit;
  const company = String(lead.company);
  const { free, suggestions } = await subDomainState({ main: session.tenant.db }, company);
  const subDomain = free ? company.toLowerCase() : suggestions[0]!;
  const today = day(Date.now());
  const code = await freeCode(unit, subDomain);
  const client = await unit.create('client_account', {
    code,
    name: company,
    legal_name: company,
    sub_domain: subDomain,
    lead_id: lead.id,
    industry_id: lead.industry_id,
    partner_id: session.partnerId ?? null,
    contact_name: lead.contact_name,
    contact_email: lead.email,
    contact_phone: lead.phone,
    admin_name: lead.contact_name,
    admin_email: lead.email,
    admin_username: 'admin',
    licensed_users: lead.employees_count ?? 25,
    valid_from: today,
    valid_to: day(Date.now() + YEAR_MS - 86_400_000),
    products: (lead.products as number[]).map((product) => ({ product_id: product })),
    companies: [
      {
        code,
        name: company,
        legal_name: company,
        city: lead.city,
        state: stateOfCity(lead.city),
      },
    ],
  });
  await unit.update('admin_lead', lead.id, { client_id: client.id });
}

/** An unused short code for a client. */
async function freeCode(unit: Unit, subDomain: string): Promise<string> {
  const base = subDomain
    .replace(/[^a-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 8);
  const rows = await unit.query<{ code: string }>(
    'select upper(code) as code from {client_account} where upper(code) like $1',
    [`${base}%`],
  );
  const taken = new Set(rows.map((row) => row.code));
  for (let n = 1; ; n++) {
    const code = n === 1 ? base : `${base}${n}`;
    if (!taken.has(code)) return code;
  }
}

/**
 * Makes a client of a won lead. The acting person need not have the right to add clients: with `if_possible` the lead
 * is won without a client, which somebody with that right adds later.
 */
export const makeClient: Effect = {
  args: { type: 'object', properties: { if_possible: { type: 'boolean' } }, additionalProperties: false },
  async apply({ unit, args, record }) {
    if (args.if_possible !== true) {
      unit.authorize('client_account', 'add_screen');
      return clientOfLead(unit, record);
    }
    if (record.client_id !== null) return;
    // If, for instance, the name is taken, the lead stays won and its next step says what is wrong.
    await unit.attempt(async () => {
      unit.authorize('client_account', 'add_screen');
      await clientOfLead(unit, record);
    });
  },
};
