import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Report } from '../../../domain/report.ts';
import { nextDue, scheduleText } from '../../../domain/report_schedule.ts';
import { mayOpen, reportPage } from '../../access/rights/pages.ts';
import type { LiveSession, SessionStore } from '../../access/sessions/session_store.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { atPlace, placeOf } from '../../services/clock/client_day.ts';
import type { MailAttachment } from '../../services/mail/mail_accounts.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { MailRun } from '../../engine/modules.ts';
import type { ReportFileDeps } from '../../engine/reports/report_file.ts';
import { reportFile } from '../../engine/reports/report_file.ts';
import type { ReportScreens } from './custom_reports.ts';
import { customId, readCustomReport } from './custom_reports.ts';
import type { Subscription } from './subscriptions.ts';
import { dueSubscription, recipientsOf } from './subscriptions.ts';

export interface MailedReportDeps extends ReportFileDeps {
  reports: () => ReadonlyMap<string, Report>;
  reportScreens: ReportScreens;
  sessions: Pick<SessionStore, 'ofPerson'>;
  /** Prepares everything needed to read a client's records. */
  prepare(tenant: Tenant): Promise<unknown>;
  notifications: Notifications;
  addressOf(tenant: Tenant): string;
  log: { error(fields: object, message: string): void };
}

/** Mail servers refuse larger mails. */
const MAX_BYTES = 15 * 1024 * 1024;

/** A copy of a report for one person, with the text of its mail. */
interface Copy {
  to: { id: number; name: string; email: string };
  file: MailAttachment;
  chosen: string;
}

/**
 * Sends the due reports, each recipient's copy with their own rights. Copies are created first; queueing them and the
 * next due times are committed together, so an interrupted or repeated run sends each once.
 * @returns the number of queued mails
 */
export async function mailDueReports(
  deps: MailedReportDeps,
  tenant: Tenant,
  { now, progress }: MailRun,
): Promise<number> {
  const looked: number[] = [];
  let mails = 0;
  await deps.prepare(tenant);
  for (;;) {
    await progress(looked.length);
    const due = await dueSubscription(tenant, now, looked);
    if (!due) return mails;
    looked.push(due.id);
    mails += await mailOne(deps, tenant, due, now);
  }
}

async function mailOne(deps: MailedReportDeps, tenant: Tenant, due: Subscription, now: number): Promise<number> {
  const owner = await sessionOf(deps, tenant, due.owner_id, due.entity_id);
  const report = owner ? await reportFor(deps, owner, due.report) : 'The subscriber may no longer sign in.';
  const over = typeof report === 'string' ? report : refused(owner!, report);
  if (over !== null || typeof report === 'string' || !owner) {
    await conclude(deps, tenant, due, {
      title: typeof report === 'string' ? await titleOf(deps, tenant, due.report) : report.title,
      next: null,
      copies: [],
      problems: [over!],
    });
    return 0;
  }
  const copies: Copy[] = [];
  const problems: string[] = [];
  const recipients = await recipientsOf(tenant, due);
  if (recipients.length === 0) problems.push('Nobody receives it any more.');
  for (const to of recipients) {
    const session = to.usable ? await sessionOf(deps, tenant, to.id, due.entity_id) : null;
    const own = session ? await reportFor(deps, session, due.report) : 'may no longer sign in to this company.';
    const reason = typeof own === 'string' ? own : refused(session!, own);
    const made = typeof own !== 'string' && reason === null ? await copyFor(deps, session!, own, due) : reason!;
    if (typeof made === 'string') problems.push(`${to.name}: ${made}`);
    else copies.push({ to, ...made });
  }
  const next = nextDue(due, placeOf(owner).timezone, now);
  return conclude(deps, tenant, due, { title: report.title, report, owner, next, copies, problems });
}

/** The report for this person; a text gives the reason if there is none. */
async function reportFor({ reports, reportScreens }: MailedReportDeps, session: LiveSession, name: string) {
  const id = customId(name);
  if (id === null) return reports().get(name) ?? 'The report no longer exists.';
  try {
    return await readCustomReport(session, id, reportScreens);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.status === 404 ? 'The report no longer exists, or is not shared with this person.' : error.message;
  }
}

/** The name of a report that cannot be sent to anybody. */
async function titleOf({ reports }: MailedReportDeps, { db, schema }: Tenant, name: string): Promise<string> {
  const [row] = await db.query<{ title: string }>(
    `select content->>'title' as title from ${quoted(schema)}.custom_report where id = $1`,
    [customId(name)],
  );
  return row?.title ?? reports().get(name)?.title ?? name;
}

/** Why a person gets no copy; null = they do. */
function refused(session: LiveSession, report: Report): string | null {
  // People who may not list the records of a user-built report are filtered out before.
  if (customId(report.name) === null && !mayOpen(session, reportPage(report)))
    return `may no longer open "${report.title}".`;
  return session.rights.refuseAction('EXPORT_DATA') === null ? null : 'may not take data along.';
}

async function sessionOf(
  { sessions }: MailedReportDeps,
  tenant: Tenant,
  userId: number,
  company: number,
): Promise<LiveSession | null> {
  try {
    return await sessions.ofPerson(tenant, userId, `report/${userId}`, company);
  } catch (error) {
    if (error instanceof AppError && error.code === 'entity_forbidden') return null;
    throw error;
  }
}

/** A copy for this person; a text gives the reason if there is none. */
async function copyFor(
  deps: MailedReportDeps,
  session: LiveSession,
  report: Report,
  { id, parameters, format }: Subscription,
): Promise<Omit<Copy, 'to'> | string> {
  try {
    return await atPlace(placeOf(session), async () => {
      const { answer, bytes, name, type } = await reportFile(deps, session, report, parameters, format);
      if (answer.withheld) return answer.note!;
      if (bytes.length > MAX_BYTES) return 'The file is too large for a mail. Narrow the report.';
      return {
        file: { filename: name, contentType: type, content: bytes },
        chosen: answer.chosen.map(({ title, text }) => `${title}: ${text}`).join('\n'),
      };
    });
  } catch (error) {
    // The print queue is full: the whole run is retried.
    if (error instanceof AppError && error.status !== 503) return error.message;
    deps.log.error({ err: error, subscription: id }, 'A report could not be created for a mail.');
    if (error instanceof AppError) throw error;
    return 'The report could not be created.';
  }
}

interface Conclusion {
  title: string;
  report?: Report;
  owner?: LiveSession;
  /** Null: it is paused. */
  next: number | null;
  copies: readonly Copy[];
  problems: readonly string[];
}

/** Writes the mails and the next due time, unless another process has, or the subscription has changed since. */
async function conclude(
  { notifications, addressOf }: MailedReportDeps,
  tenant: Tenant,
  due: Subscription,
  { title, report, owner, next, copies, problems }: Conclusion,
): Promise<number> {
  const problem = problems.length > 0 ? problems.join('\n') : null;
  const query = new URLSearchParams(due.parameters).toString();
  const path = report ? `${report.route}${query === '' ? '' : `?${query}`}` : null;
  return tenant.db.transaction(async (tx) => {
    const mine = await tx.query(
      `update ${quoted(tenant.schema)}.report_subscription set paused = $3, next_at = coalesce($4::timestamptz, next_at),
         sent_at = case when $5 then now() else sent_at end, problem = $6
       where id = $1 and next_at = $2 and not paused returning 1`,
      [
        due.id,
        due.next_at,
        next === null,
        next === null ? null : new Date(next).toISOString(),
        copies.length > 0,
        problem,
      ],
    );
    if (mine.length === 0) return 0;
    for (const { to, file, chosen } of copies)
      await notifications.write(tx, tenant, {
        event: 'report.sent',
        address: to.email,
        userId: to.id,
        values: {
          report: title,
          name: to.name,
          date: dayFirst(dayIn(placeOf(owner!).timezone)),
          chosen,
          owner: owner!.userName,
          schedule: scheduleText(due),
          link: `${addressOf(tenant)}${path!}`,
          leave: `${addressOf(tenant)}${report!.route}?by-mail=1`,
        },
        dedupeKey: `report/${due.id}/${due.next_at}/${to.id}`,
        files: [file],
      });
    // The same problem is reported once.
    if (problem !== null && problem !== due.problem)
      await notifications.notify(tx, tenant, {
        event: 'report.not_sent',
        to: [due.owner_id],
        values: { report: title, problem },
        entityId: due.entity_id,
        ...(path !== null && { link: path }),
      });
    return copies.length;
  });
}
