import { PLATFORM_ZONE, dayIn } from '../client_day.ts';
import type { Screen, WireRecord } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { AppError, invalid } from '../errors.ts';
import { missingForClient, stateOfCity } from '../modules/admin/admin_lead.ts';
import type { Engine } from '../records/engine.ts';
import { openedFields } from '../records/opened_fields.ts';
import type { Directory } from '../db/directory.ts';
import { subDomainState } from './provision.ts';

export interface LeadDeps {
  engine: Engine;
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
}

const YEAR_MS = 365 * 86_400_000;
const day = (at: number) => dayIn(PLATFORM_ZONE, at);

/**
 * Makes the draft of a client of a lead that was won, and links the two. Once: the second try finds the lead's client.
 * @throws AppError 409 when there is one already, 422 with what the lead lacks
 */
export async function clientOfLead(
  { engine, directory, screens }: LeadDeps,
  session: Session,
  lead: WireRecord,
): Promise<WireRecord> {
  const clients = screens().get('client_account')!;
  if (lead.state !== 'won') throw new AppError(409, 'bad_state', 'Only a lead that is won becomes a client.');
  if (lead.client_id !== null) throw new AppError(409, 'bad_state', 'This lead has its client already.');
  const missing = missingForClient(lead);
  if (missing.length > 0) throw invalid(missing);
  const company = String(lead.company);
  const { free, suggestions } = await subDomainState(directory, company);
  const subDomain = free ? company.toLowerCase() : suggestions[0]!;
  const today = day(Date.now());
  const code = await freeCode(directory, subDomain);
  const client = await engine.create(
    session,
    openedFields(clients, ['lead_id']),
    {
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
    },
    'lead',
  );
  return client;
}

/** A short code that no client has. */
async function freeCode({ main }: Directory, subDomain: string): Promise<string> {
  const base = subDomain
    .replace(/[^a-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 8);
  const taken = new Set(
    (
      await main.query<{ code: string }>(
        'select upper(code) as code from public.client_account where upper(code) like $1',
        [`${base}%`],
      )
    ).map((row) => row.code),
  );
  for (let n = 1; ; n++) {
    const code = n === 1 ? base : `${base}${n}`;
    if (!taken.has(code)) return code;
  }
}
