import { placeOf } from '../../services/clock/client_day.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { utils, write } from 'xlsx';
import type { Session } from '../../access/context.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { cellText } from '../../engine/excel/long_text.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { chainWaiting } from '../../services/audit/audit.ts';
import { brokenAuditEntry } from '../../platform/upkeep/platform_jobs.ts';

const PAGE = 100;
const MOST_EXPORTED = 50_000;

interface Asked {
  from?: string;
  to?: string;
  user?: string;
  action?: string;
  type?: string;
  outcome?: string;
  before?: string;
}

interface Filter {
  where: string;
  values: unknown[];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Conditions on the time and who, on the table that stands as `a`. */
function filterOf(
  asked: Asked,
  timezone: string,
  columns: { user: string; exact: Record<string, string>; key: string },
): Filter {
  const values: unknown[] = [timezone];
  const where = ['true'];
  const bind = (value: unknown) => `$${values.push(value)}`;
  for (const [name, sign] of [
    ['from', '>='],
    ['to', '<'],
  ] as const) {
    const day = asked[name];
    if (day === undefined || day === '') continue;
    if (!DAY.test(day))
      throw new AppError(400, 'bad_request', `${name} must be a day such as 2026-04-01.`, { field: name });
    where.push(`a.at ${sign} ((${bind(day)}::date + ${name === 'to' ? 1 : 0})::timestamp at time zone $1)`);
  }
  for (const [name, column] of Object.entries({ user: columns.user, before: columns.key })) {
    const id = asked[name as 'user'];
    if (id === undefined || id === '') continue;
    if (!/^\d{1,15}$/.test(id)) throw new AppError(400, 'bad_request', `${name} must be a number.`, { field: name });
    where.push(`${column} ${name === 'before' ? '<' : '='} ${bind(Number(id))}`);
  }
  for (const [name, column] of Object.entries(columns.exact)) {
    const value = asked[name as 'action'];
    if (value) where.push(`${column} = ${bind(value)}`);
  }
  return { where: where.join(' and '), values };
}

/** The audit trail and the log of sign-ins: read, filtered, taken along as Excel. */
export async function auditRoutes(app: FastifyInstance, { audit }: { audit: Audit }): Promise<void> {
  function viewer({ session }: FastifyRequest) {
    const refusal = session.rights.refuseAction('VIEW_AUDIT');
    if (refusal) throw new AppError(403, 'forbidden', refusal.message, { reason: 'action' });
    return session;
  }

  async function trail(session: Session, asked: Asked, limit: number): Promise<Record<string, unknown>[]> {
    const { tenant } = session;
    const { where, values } = filterOf(asked, placeOf(session).timezone, {
      user: 'a.actor_user_id',
      exact: { action: 'a.action', type: 'a.target_type' },
      key: 'a.seq',
    });
    await chainWaiting(tenant);
    const s = quoted(tenant.schema);
    return tenant.db.query(
      `select a.seq, a.at, a.actor_user_id, u.name as actor, i.name as acting_for, a.action, a.target_type, a.target_id, a.summary, a.diff, a.ip, a.user_agent, a.hash
       from ${s}.audit_log a left join ${peopleTable(tenant.schema)} u on u.id = a.actor_user_id left join ${peopleTable(tenant.schema)} i on i.id = a.impersonator_id
       where $1::text is not null and ${where} order by a.seq desc limit ${limit}`,
      values,
    );
  }

  async function signIns(session: Session, asked: Asked, limit: number): Promise<Record<string, unknown>[]> {
    const { tenant } = session;
    const { where, values } = filterOf(asked, placeOf(session).timezone, {
      user: 'a.user_id',
      exact: { outcome: 'a.outcome' },
      key: 'a.id',
    });
    return tenant.db.query(
      `select a.id, a.at, a.user_id, u.name as user, a.outcome, a.ip, a.network, a.user_agent, a.device_known
       from ${quoted(tenant.schema)}.login_attempt a left join ${peopleTable(tenant.schema)} u on u.id = a.user_id
       where $1::text is not null and ${where} order by a.id desc limit ${limit}`,
      values,
    );
  }

  function sheet(rows: Record<string, unknown>[], columns: [key: string, title: string][], timezone: string): Buffer {
    const moment = (value: unknown) => new Date(String(value)).toLocaleString('sv-SE', { timeZone: timezone });
    // What a person typed must not begin a formula.
    const safe = (value: unknown) =>
      typeof value === 'string' ? cellText(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value) : value;
    const table = [
      columns.map(([, title]) => title),
      ...rows.map((row) =>
        columns.map(([key]) =>
          key === 'at'
            ? moment(row.at)
            : key === 'diff'
              ? row.diff === null
                ? ''
                : cellText(JSON.stringify(row.diff))
              : safe(row[key] ?? ''),
        ),
      ),
    ];
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(table), 'Sheet1');
    return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/audit_log`, async (request) => {
      const rows = await trail(viewer(request), request.query as Asked, PAGE + 1);
      return { data: rows.slice(0, PAGE), more: rows.length > PAGE };
    });
    app.get(`${prefix}/login_log`, async (request) => {
      const session = viewer(request);
      const { tenant } = session;
      const s = quoted(tenant.schema);
      const rows = await signIns(session, request.query as Asked, PAGE + 1);
      const days = await tenant.db.query(
        `select (at at time zone $1)::date::text as day, outcome, count(*)::int as count from ${s}.login_attempt where at > now() - interval '30 days' group by 1, 2 order by 1, 2`,
        [placeOf(session).timezone],
      );
      return { data: rows.slice(0, PAGE), more: rows.length > PAGE, days };
    });
    app.get(`${prefix}/audit_log/actions`, async (request) => {
      const { tenant } = viewer(request);
      await chainWaiting(tenant);
      const rows = await tenant.db.query<{ action: string }>(
        `select distinct action from ${quoted(tenant.schema)}.audit_log order by action limit 500`,
      );
      return { data: rows.map(({ action }) => action) };
    });
    app.get(`${prefix}/audit_log/verify`, async (request) => {
      const { tenant } = viewer(request);
      const broken = await brokenAuditEntry(tenant);
      return { data: { whole: broken === null, broken_at: broken } };
    });
    for (const kind of ['audit_log', 'login_log'] as const) {
      app.get(`${prefix}/${kind}/export.xlsx`, async (request, reply) => {
        const session = viewer(request);
        const refusal = session.rights.refuseAction('EXPORT_DATA');
        if (refusal) throw new AppError(403, 'forbidden', refusal.message, { reason: 'action' });
        const asked = request.query as Asked;
        const { tenant } = session;
        const file =
          kind === 'audit_log'
            ? sheet(
                await trail(session, asked, MOST_EXPORTED),
                [
                  ['seq', 'No'],
                  ['at', 'Time'],
                  ['actor', 'Who'],
                  ['acting_for', 'Acting for'],
                  ['action', 'Action'],
                  ['target_type', 'Type'],
                  ['target_id', 'Record'],
                  ['summary', 'Summary'],
                  ['diff', 'Change'],
                  ['ip', 'Address'],
                  ['user_agent', 'Browser'],
                  ['hash', 'Hash'],
                ],
                placeOf(session).timezone,
              )
            : sheet(
                await signIns(session, asked, MOST_EXPORTED),
                [
                  ['at', 'Time'],
                  ['user', 'User'],
                  ['outcome', 'Outcome'],
                  ['ip', 'Address'],
                  ['user_agent', 'Browser'],
                  ['device_known', 'Known device'],
                ],
                placeOf(session).timezone,
              );
        await audit(tenant, {
          actor: session.userId,
          action: 'export',
          summary: kind,
          sid: session.sid,
          ip: request.ip,
        });
        return reply
          .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
          .header('content-disposition', `attachment; filename="${kind}.xlsx"`)
          .send(file);
      });
    }
  }
}
