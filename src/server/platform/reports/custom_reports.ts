import { reportOf } from '../../../descriptor/report.ts';
import { hasRightShape } from '../../../descriptor/meta_check.ts';
import { filterUnder, presentNames } from '../../../descriptor/renamed_paths.ts';
import { Source } from '../../../descriptor/source.ts';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import type { RecordsGrouped, Report, ReportDescriptor } from '../../../domain/report.ts';
import { authorize, authorizeAction } from '../../access/rights/authorize.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { peopleTable, quoted, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** With whom a user-built report is shared. */
export const SHARINGS = ['own', 'roles', 'all'] as const;
export type Sharing = (typeof SHARINGS)[number];

/** The parts of a report that a person writes; the server sets access and menu place. */
const OWN_WORDS = ['title', 'description', 'from', 'chart', 'sort'] as const;
export type OwnReport = Pick<ReportDescriptor, (typeof OWN_WORDS)[number]>;

/** A report as its builder saves it. */
export interface AskedReport {
  report: Record<string, unknown>;
  shared: Sharing;
  roles: number[];
}

/** A stored user-built report. */
export interface CustomReport {
  id: number;
  content: OwnReport;
  owner_id: number;
  owner_id__label: string | null;
  shared: Sharing;
  roles: number[];
  roles__label: string[];
  version: number;
}

/** The screens used to check reports: the product's, and the reader's. */
export interface ReportScreens {
  product: () => ReadonlyMap<string, Screen>;
  own: (session: LiveSession) => ReadonlyMap<string, Screen>;
}

/** The maximum number of reports per person. */
const MAX_OWN = 200;
const MAX_GROUPS = 3;
const MAX_CHARACTERS = 20_000;
const COLUMN = /^[a-z][a-z0-9_]{0,59}$/;
const NAME = /^own\.(\d{1,15})$/;

const table = ({ schema }: Pick<Tenant, 'schema'>) => `${quoted(schema)}.custom_report`;

/** The name of a user-built report, as used in calls and subscriptions. */
export const customName = (id: number): string => `own.${id}`;

/** The id in such a name; null = a report of the product. */
export function customId(name: string): number | null {
  const [, id] = NAME.exec(name) ?? [];
  return id === undefined ? null : Number(id);
}

/** The id in the address of such a report; null = another page. */
export function customIdAt(route: string): number | null {
  const [, id] = /^\/reports\/own\/(\d{1,15})$/.exec(route) ?? [];
  return id === undefined ? null : Number(id);
}

/** Whether a person may change and delete a report: its owner, or an administrator if it is shared. */
export const mayChange = ({ userId, rights }: LiveSession, { owner_id: owner, shared }: CustomReport): boolean =>
  owner === userId || (rights.isAdmin && shared !== 'own');

async function select({ tenant, userId, roleIds }: LiveSession, id: number | null): Promise<CustomReport[]> {
  // The platform's own people have none.
  if (tenant.schema === 'public') return [];
  const { schema, db } = tenant;
  return db.query<CustomReport>(
    `select r.id, r.content, r.owner_id, o.name as owner_id__label, r.shared, r.roles, r.version,
       array(select k.role_name from unnest(r.roles) with ordinality p(id, at) join ${tableName(schema, 'role')} k on k.id = p.id order by p.at) as roles__label
     from ${table({ schema })} r left join ${peopleTable(schema)} o on o.id = r.owner_id
     where ($1::bigint is null or r.id = $1) and (r.owner_id = $2 or r.shared = 'all' or (r.shared = 'roles' and r.roles && $3::bigint[]))
     order by lower(r.content->>'title'), r.id limit 1000`,
    [id, userId, roleIds],
  );
}

/** The reports built by this person, and those shared with them. */
export const customReports = (session: LiveSession): Promise<CustomReport[]> => select(session, null);

/** One of them. @throws AppError 404 if it does not exist or is not shared with the person */
export async function customReport(session: LiveSession, id: number): Promise<CustomReport> {
  const [row] = await select(session, id);
  if (!row) throw notFound();
  return row;
}

/** A report with fields renamed since it was saved. */
function renamed(report: OwnReport, product: ReadonlyMap<string, Screen>): OwnReport {
  const from = report.from!;
  const present = presentNames(product.get(from.type)?.fields ?? []);
  const measures = from.measures.map((measure) => ({
    ...measure,
    ...(measure.sum !== undefined && { sum: present(measure.sum) }),
    ...(measure.average !== undefined && { average: present(measure.average) }),
    ...(measure.lowest !== undefined && { lowest: present(measure.lowest) }),
    ...(measure.highest !== undefined && { highest: present(measure.highest) }),
    ...(measure.filter && { filter: filterUnder(measure.filter, present) }),
  }));
  return {
    ...report,
    from: { ...from, measures, ...(from.filter && { filter: filterUnder(from.filter, present) }) },
  };
}

/** A report compiled like a file; errors are added to `problems`. */
function compiled(
  name: string,
  report: OwnReport,
  screens: ReadonlyMap<string, Screen>,
): { report: Report | null; problems: Problem[] } {
  const type = (report.from as RecordsGrouped | undefined)?.type;
  const screen = type === undefined ? undefined : screens.get(type);
  const access = screen ? { screen: screen.access.screens } : { screen: 'SCN_REPORTS' };
  const descriptor: ReportDescriptor = { $schema: '../meta/report.schema.json', kind: 'report', access, ...report };
  const source = new Source(name, JSON.stringify(descriptor, null, 2));
  const made = hasRightShape(descriptor, source, 'report')
    ? reportOf({ name, folder: 'own' }, descriptor, {}, screens, source)
    : null;
  if (!made || !screen) return { report: null, problems: source.problems };
  // People who may list the records may see their figures.
  const route = `/reports/own/${String(customId(name) ?? 0)}`;
  return {
    report: { ...made, access: screen.access, route, menu: { ...made.menu, hidden: true } },
    problems: source.problems,
  };
}

/** A finding as a sentence with its hint. */
const sentence = ({ message, hint }: Problem) => (hint === undefined ? message : `${message} ${hint}`);

/**
 * The report for this reader. @throws AppError 422 if its fields no longer exist, 403 if the reader may not see them
 */
function forReader(session: LiveSession, name: string, stored: OwnReport, screens: ReportScreens): Report {
  const product = screens.product();
  const written = renamed(stored, product);
  const [gone] = compiled(name, written, product).problems;
  if (gone)
    throw new AppError(
      422,
      'outdated_report',
      `"${stored.title}" no longer fits the records that it is made of. ${sentence(gone)}`,
      { field: gone.path },
    );
  const own = screens.own(session);
  const screen = own.get(written.from!.type);
  if (!screen) throw notFound();
  authorize(session, screen, 'landing');
  const { report, problems } = compiled(name, written, own);
  if (!report || problems.length > 0)
    throw new AppError(
      403,
      'forbidden',
      `"${stored.title}" uses fields of ${screen.plural.toLowerCase()} that you may not see. Ask its owner for a report without them.`,
      { reason: 'field' },
    );
  return report;
}

/** A saved report for this reader. @throws AppError 404, 403, 422 */
export async function readCustomReport(session: LiveSession, id: number, screens: ReportScreens): Promise<Report> {
  const { content } = await customReport(session, id);
  return forReader(session, customName(id), content, screens);
}

/** An unsaved report, as its builder may see it. @throws AppError 422 with the error, 403 */
export function checkedReport(
  session: LiveSession,
  asked: Record<string, unknown>,
  screens: ReportScreens,
): { report: Report; content: OwnReport } {
  authorizeAction(session, 'RUN_REPORTS');
  const wrong = (field: string, message: string) => new AppError(422, 'validation', message, { field });
  if (session.tenant.schema === 'public')
    throw new AppError(403, 'forbidden', 'Reports are built in a client.', { reason: 'screen' });
  const unknown = Object.keys(asked).find((word) => !(OWN_WORDS as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw wrong(unknown, `A report of your own has no "${unknown}". It has: ${OWN_WORDS.join(', ')}.`);
  const text = JSON.stringify(asked);
  if (text.length > MAX_CHARACTERS) throw new AppError(413, 'too_large', 'This report is too large to save.');
  // JSON escapes that no database stores: NUL characters, and unpaired surrogates.
  if (/\\u(0000|d[89a-f])/i.test(text))
    throw wrong('title', 'A text of the report has a character that cannot be stored.');
  const title = typeof asked.title === 'string' ? asked.title.trim() : '';
  if (title === '') throw wrong('title', 'Name the report.');
  const { from } = asked as { from?: { type?: unknown; group?: unknown } };
  if (from === null || typeof from !== 'object' || typeof from.type !== 'string')
    throw wrong('from.type', 'Choose the records that the report reads.');
  const screen = screens.own(session).get(from.type);
  if (!screen) throw wrong('from.type', `There is no record type "${from.type}".`);
  authorize(session, screen, 'landing');
  if (Array.isArray(from.group) && from.group.length > MAX_GROUPS)
    throw wrong('from.group', `A report has at most ${MAX_GROUPS} groups. Remove one.`);
  const named = (asked.from as { measures?: unknown }).measures;
  if (Array.isArray(named) && named.some((one: { name?: unknown } | null) => !COLUMN.test(String(one?.name))))
    throw wrong('from.measures', 'The name of a figure is lower-case letters, digits and underscores.');
  const content = { ...asked, title } as OwnReport;
  const { report, problems } = compiled(customName(0), content, screens.own(session));
  const [first] = problems;
  if (first || !report)
    throw new AppError(422, 'validation', first ? sentence(first) : 'This report cannot be made.', {
      field: first?.path.replace(/^\$\.?/, '') ?? 'from',
      details: problems.map((one) => ({ field: one.path.replace(/^\$\.?/, ''), message: sentence(one) })),
    });
  return { report, content };
}

/** The validated sharing of a report. @throws AppError 403 without the right to share, 422 */
async function checkSharing(session: LiveSession, { shared, roles }: AskedReport, before?: CustomReport) {
  const same = before?.shared === shared && JSON.stringify(before.roles) === JSON.stringify(roles);
  if (shared === 'own' || same) return;
  authorizeAction(session, 'SHARE_REPORTS');
  if (shared !== 'roles') return;
  const wrong = (message: string) => new AppError(422, 'validation', message, { field: 'roles' });
  if (roles.length === 0) throw wrong('Choose the roles that get the report.');
  const { db, schema } = session.tenant;
  const [known] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${tableName(schema, 'role')} where active and id = any($1::bigint[])`,
    [roles],
  );
  if (known!.count < new Set(roles).size) throw wrong('Some of these roles are no longer there. Choose from the list.');
}

const rolesOf = ({ shared, roles }: AskedReport) => (shared === 'roles' ? [...new Set(roles)] : []);

/** Saves a new report. @returns its id @throws AppError 422 with the error, 403 */
export async function addCustomReport(
  session: LiveSession,
  asked: AskedReport,
  screens: ReportScreens,
): Promise<number> {
  const { content } = checkedReport(session, asked.report, screens);
  await checkSharing(session, asked);
  const { db } = session.tenant;
  const [own] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table(session.tenant)} where owner_id = $1`,
    [session.userId],
  );
  if (own!.count >= MAX_OWN)
    throw new AppError(422, 'validation', `You already have ${MAX_OWN} reports. Delete one first.`);
  const [row] = await db.query<{ id: number }>(
    `insert into ${table(session.tenant)} (content, owner_id, shared, roles) values ($1::jsonb, $2, $3, $4) returning id`,
    [JSON.stringify(content), session.userId, asked.shared, rolesOf(asked)],
  );
  return row!.id;
}

/** The report to change. @throws AppError 404, 403 for another person's */
async function toChange(session: LiveSession, id: number): Promise<CustomReport> {
  const row = await customReport(session, id);
  if (!mayChange(session, row))
    throw new AppError(
      403,
      'forbidden',
      `"${row.content.title}" belongs to ${row.owner_id__label ?? 'another person'}. Copy it to change it.`,
      {
        reason: 'row',
      },
    );
  return row;
}

/** Saves a report again. @returns its new version @throws AppError 404, 403, 422; 409 if somebody has saved it since */
export async function changeCustomReport(
  session: LiveSession,
  id: number,
  version: number,
  asked: AskedReport,
  screens: ReportScreens,
): Promise<number> {
  const before = await toChange(session, id);
  const { content } = checkedReport(session, asked.report, screens);
  await checkSharing(session, asked, before);
  const [row] = await session.tenant.db.query<{ version: number }>(
    `update ${table(session.tenant)} set content = $3::jsonb, shared = $4, roles = $5, version = version + 1, at = now()
     where id = $1 and version = $2 returning version`,
    [id, version, JSON.stringify(content), asked.shared, rolesOf(asked)],
  );
  if (!row)
    throw new AppError(
      409,
      'conflict',
      'Somebody has saved this report since you opened it. Open it again, or save yours as a copy.',
    );
  return row.version;
}

/** Deletes a report with its mail subscriptions. @throws AppError 404, 403 */
export async function removeCustomReport(session: LiveSession, id: number): Promise<CustomReport> {
  const row = await toChange(session, id);
  const { db, schema } = session.tenant;
  await db.transaction(async (tx) => {
    await tx.query(`delete from ${quoted(schema)}.report_subscription where report = $1`, [customName(id)]);
    await tx.query(`delete from ${table({ schema })} where id = $1`, [id]);
  });
  return row;
}
