import { placeOf } from '../../services/clock/client_day.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { utils, write } from 'xlsx';
import type { Asked } from '../../platform/audit/trail.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { actionWords, entryInWords } from '../../platform/audit/audit_words.ts';
import { auditedActions, signIns, signInsByDay, trail } from '../../platform/audit/trail.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { cellText } from '../../engine/excel/long_text.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { brokenAuditEntry } from '../../platform/upkeep/audit_chain.ts';

const PAGE = 100;
const MAX_EXPORTED = 50_000;

/** The audit trail and the sign-in log: read, filtered, exported to Excel. */
export async function auditRoutes(
  app: FastifyInstance,
  { audit, screens }: { audit: Audit; screens: (session: Session) => ReadonlyMap<string, Screen> },
): Promise<void> {
  function viewer({ session }: FastifyRequest) {
    const refusal = session.rights.refuseAction('VIEW_AUDIT');
    if (refusal) throw new AppError(403, 'forbidden', refusal.message, { reason: 'action' });
    return session;
  }

  function sheet(rows: Record<string, unknown>[], columns: [key: string, title: string][], timezone: string): Buffer {
    const moment = (value: unknown) => new Date(String(value)).toLocaleString('sv-SE', { timeZone: timezone });
    // Typed text must not start a formula.
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
      const session = viewer(request);
      const rows = await trail(session, request.query as Asked, PAGE + 1);
      const known = screens(session);
      return { data: rows.slice(0, PAGE).map((row) => entryInWords(row, known)), more: rows.length > PAGE };
    });
    app.get(`${prefix}/login_log`, async (request) => {
      const session = viewer(request);
      const rows = await signIns(session, request.query as Asked, PAGE + 1);
      const days = await signInsByDay(session);
      return { data: rows.slice(0, PAGE), more: rows.length > PAGE, days };
    });
    app.get(`${prefix}/audit_log/actions`, async (request) => {
      const session = viewer(request);
      const known = screens(session);
      const actions = await auditedActions(session.tenant);
      return { data: actions.map((action) => ({ action, what: actionWords(action, known) })) };
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
                (await trail(session, asked, MAX_EXPORTED)).map((row) => entryInWords(row, screens(session))),
                [
                  ['seq', 'No'],
                  ['at', 'Time'],
                  ['actor', 'Who'],
                  ['acting_for', 'Acting for'],
                  ['what', 'Action'],
                  ['record', 'Type'],
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
                await signIns(session, asked, MAX_EXPORTED),
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
