import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import type { RefusedStep } from '../../../domain/refused_step.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { readRecord } from '../records/read.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { accountsOf } from './waiting.ts';

export interface RefusalDeps {
  /** The screens of a client. */
  screens(session: Session): Map<string, Screen>;
  notifications?: Notifications | undefined;
}

/** A refused transition is retried after a minute, then at growing intervals, finally every six hours. */
const LONGEST_WAIT_MINUTES = 360;
/** The number listed for administrators. */
const MAX_LISTED = 200;

/** Whether the product takes a transition automatically, so that no person sees a refusal. */
const isTakenAlone = ({ auto }: Transition): boolean =>
  auto?.some(({ date, event, by }) => date !== undefined || event !== undefined || by !== undefined) === true;

/** The message of a refusal. */
export const refusalWords = (error: AppError): string => error.details[0]?.message ?? error.message;

/** Flags the record, and notifies its owner the first time. */
export async function noteRefusal(
  { screens, notifications }: RefusalDeps,
  actor: Session,
  type: string,
  id: number,
  transition: Transition,
  message: string,
  now: Date,
): Promise<void> {
  await inUnit(actor, async ({ session }) => {
    const { tenant } = session;
    const screen = screens(session).get(type);
    // Records created in the rolled-back transaction do not exist.
    const record = screen && (await readRecord(session, screen, screens(session), id).catch(() => null));
    if (!screen || !record) return;
    const [row] = await tenant.db.query<{ tries: number }>(
      preparedStatement(
        `insert into ${quoted(tenant.schema)}.auto_refusal as f (record_type, record_id, transition, message, since, next_at)
         values ($1, $2, $3, $4, $5::timestamptz, $5::timestamptz + interval '1 minute')
         on conflict (record_type, record_id, transition) do update set message = excluded.message, tries = f.tries + 1,
           next_at = $5::timestamptz + make_interval(mins => least(power(2, least(f.tries, 20))::int, ${LONGEST_WAIT_MINUTES}))
         returning tries`,
        [type, id, transition.name, message, now.toISOString()],
      ),
    );
    if (row?.tries !== 1 || !notifications) return;
    const owners = screen.relations?.owner ? ['owner'] : ['requester'];
    const to = await accountsOf(session, screens(session), screen, record, owners);
    if (to.length === 0) return;
    await notifications.notify(tenant.db, tenant, {
      event: 'step.refused',
      to,
      entityId: session.entityId,
      link: pageOf(screen, id),
      values: {
        record: `${inSentence(screen.title)} ${nameOf(screen, record)}`,
        step: transition.title,
        reason: message,
      },
    });
  });
}

const pageOf = ({ routes: { view, edit, landing } }: Screen, id: number): string =>
  (view ?? edit ?? landing).replace(':id', String(id));

function nameOf({ label }: Screen, record: Record<string, unknown>): string {
  const given = label.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof given === 'string' ? given : String(record.id);
}

/**
 * Records are no longer flagged for a transition that they have taken, nor for those that do not start from their state.
 */
export async function clearRefusals(
  { tenant }: Session,
  { name, workflow }: Screen,
  records: readonly WireRecord[],
  taken: string,
): Promise<void> {
  for (const [state, some] of Map.groupBy(records, (record) => String(record[workflow!.field]))) {
    const over = workflow!.transitions.filter(
      (one) => isTakenAlone(one) && (one.name === taken || !one.from.includes(state)),
    );
    if (over.length === 0) continue;
    await tenant.db.query(
      preparedStatement(
        `delete from ${quoted(tenant.schema)}.auto_refusal where record_type = $1 and record_id = any($2::bigint[]) and transition = any($3::text[])`,
        [name, some.map(({ id }) => id), over.map((one) => one.name)],
      ),
    );
  }
}

/** The refused automatic transitions of a record, as shown on its page. */
export async function refusedSteps(
  { tenant }: Session,
  { name, workflow }: Screen,
  record: WireRecord,
): Promise<{ title: string; message: string; since: string }[]> {
  const alone = (workflow?.transitions ?? []).filter(
    (one) => isTakenAlone(one) && one.from.includes(String(record[workflow!.field])),
  );
  if (alone.length === 0) return [];
  const rows = await tenant.db.query<{ transition: string; message: string; since: string }>(
    preparedStatement(
      `select transition, message, since from ${quoted(tenant.schema)}.auto_refusal where record_type = $1 and record_id = $2 and transition = any($3::text[]) order by since`,
      [name, record.id, alone.map((one) => one.name)],
    ),
  );
  return rows.map(({ transition, message, since }) => ({
    title: alone.find((one) => one.name === transition)!.title,
    message,
    since,
  }));
}

/** All refused automatic transitions of a client's records, the oldest first. */
export async function refusalsOf(tenant: Tenant, screens: ReadonlyMap<string, Screen>): Promise<RefusedStep[]> {
  const rows = await tenant.db.query<{
    record_type: string;
    record_id: number;
    transition: string;
    message: string;
    since: string;
    tries: number;
  }>(
    `select record_type, record_id, transition, message, since, tries from ${quoted(tenant.schema)}.auto_refusal order by since, record_type, record_id limit ${MAX_LISTED}`,
  );
  const listed: RefusedStep[] = [];
  for (const type of new Set(rows.map((row) => row.record_type))) {
    const screen = screens.get(type);
    if (!screen?.workflow) continue;
    const columns = screen.label.filter((name) => screen.fields.some((one) => one.name === name && !one.rows));
    const records = await tenant.db.query<Record<string, unknown>>(
      `select ${['id', screen.workflow.field, ...columns].map(quoted).join(', ')} from ${tableName(tenant.schema, type)} where active and id = any($1)`,
      [rows.filter((row) => row.record_type === type).map((row) => row.record_id)],
    );
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const { record_type: of, record_id: id, transition, message, since, tries } of rows) {
      const record = of === type ? byId.get(id) : undefined;
      const step = screen.workflow.transitions.find(({ name }) => name === transition);
      if (!record || !step?.from.includes(String(record[screen.workflow.field]))) continue;
      listed.push({
        key: `${type}/${id}/${transition}`,
        record: `${screen.title} ${nameOf(screen, record)}`,
        page: pageOf(screen, id),
        step: step.title,
        message,
        since,
        tries,
      });
    }
  }
  return listed.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.key < b.key ? -1 : 1));
}
