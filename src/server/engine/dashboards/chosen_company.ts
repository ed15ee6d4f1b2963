import type { Field, FilterExpression, Screen } from '../../../descriptor/types.ts';
import type { CompaniesChoice } from '../../../domain/dashboard.ts';
import { ALL_COMPANIES, COMPANY_FILTER } from '../../../domain/dashboard.ts';
import type { BespokePage } from '../../access/rights/pages.ts';
import { mayOpen } from '../../access/rights/pages.ts';
import { companiesTogether, inOneCompany } from '../../access/sessions/companies_together.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

/** Of which companies a call shows the figures. */
export interface ChosenCompany {
  /** As the reader of these figures. */
  session: LiveSession;
  /** The reader in each of the companies. */
  each: LiveSession[];
  /** As it stands in the address; null = the dashboard has no choice of companies, or the reader has no company. */
  value: string | null;
}

/** A dashboard or report, with the companies of which it shows figures. */
export interface OfCompanies {
  page: BespokePage;
  companies: CompaniesChoice | undefined;
}

/** The reader in each of their companies in which they may open the page, by id. */
async function readersOf(session: LiveSession, page: BespokePage): Promise<LiveSession[]> {
  const each = await Promise.all(
    session.companies.map(async ({ entity_id: id }) =>
      id === session.entityId || !session.inCompany
        ? session
        : { ...(await session.inCompany(id)), tenant: session.tenant },
    ),
  );
  return each.filter((one) => one.entityId !== null && mayOpen(one, page));
}

/**
 * The reader in the company that they chose; without a choice in the current one, or in all if there is no current one.
 * @throws AppError 422 for a company in which they may not open the page
 */
export async function inChosenCompany(
  session: LiveSession,
  { page, companies }: OfCompanies,
  chosen: string | undefined,
): Promise<ChosenCompany> {
  if (companies === undefined) return { session, each: [session], value: null };
  const readers = await readersOf(session, page);
  const isOffered = companies === 'all' && readers.length > 1;
  const asked = chosen ?? String(session.entityId ?? (isOffered ? ALL_COMPANIES : (readers[0]?.entityId ?? '')));
  if (isOffered && asked === ALL_COMPANIES)
    return {
      session: companiesTogether(readers as [LiveSession, ...LiveSession[]]),
      each: readers,
      value: ALL_COMPANIES,
    };
  const one = readers.find(({ entityId }) => String(entityId) === asked);
  if (one) return { session: inOneCompany(one), each: [one], value: asked };
  if (chosen === undefined) return { session, each: [session], value: null };
  const message = `Choose one of your companies in which you may open this ${page.report ? 'report' : 'dashboard'}.`;
  throw new AppError(422, 'validation', message, {
    field: COMPANY_FILTER,
    details: [{ field: COMPANY_FILTER, message }],
  });
}

/** The choice of a company as a filter of this reader; null = there is nothing to choose. */
export async function companyChoice(session: LiveSession, { page, companies: of }: OfCompanies): Promise<Field | null> {
  if (of === undefined || session.companies.length < 2) return null;
  const readers = await readersOf(session, page);
  if (readers.length < 2) return null;
  const { db, schema } = session.tenant;
  const companies = await db.query<{ id: number; name: string }>(
    preparedStatement(
      `select id, name from ${tableName(schema, 'entity')} where id = any($1::bigint[]) order by name`,
      [readers.map(({ entityId }) => entityId)],
    ),
  );
  const options = [
    ...companies.map(({ id, name }) => ({ value: String(id), label: name })),
    ...(of === 'all' ? [{ value: ALL_COMPANIES, label: 'All my companies' }] : []),
  ];
  return {
    name: COMPANY_FILTER,
    type: 'enum',
    title: 'Company',
    required: true,
    schema: { type: 'string', enum: options.map(({ value }) => value) },
    options,
    secret: false,
    readOnly: false,
  };
}

/**
 * The condition of the list behind a figure. Lists show the companies that the reader's role reads: those of all companies
 * need a condition, and a list of the current company alone cannot show another (null).
 */
export function behindFigure(
  reader: LiveSession,
  { each, value }: ChosenCompany,
  screen: Screen,
  filter: FilterExpression | null,
): { filter: FilterExpression | null } | null {
  if (value === null || screen.scope !== 'entity') return { filter };
  const ids = each.map(({ entityId }) => entityId!);
  if (reader.rights.isAdmin || reader.rights.dataScope(screen) !== 'all_companies')
    return ids.length === 1 && ids[0] === reader.entityId ? { filter } : null;
  if (reader.entityIds.every((id) => ids.includes(id))) return { filter };
  const ofCompany: FilterExpression = ['entity_id', 'in', ids];
  if (filter === null) return { filter: ofCompany };
  return { filter: filter[0] === 'and' ? ([...filter, ofCompany] as FilterExpression) : ['and', filter, ofCompany] };
}
