import { createHash } from 'node:crypto';
import { formatMoney, formatValue } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { ApprovalMode, Need } from '../../../domain/approval_levels.ts';
import { levelDone, levelsFor } from '../../../domain/approval_levels.ts';
import { dayIn } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Session } from '../../access/context.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import type { Approvals, OpenRequest, Verdict } from '../../engine/approval/approvals.ts';
import { elevated } from '../../engine/records/elevated.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openedFields } from '../../engine/records/opened_fields.ts';

type Row = Record<string, unknown>;

interface Level {
  level: number;
  amount_from: string | null;
  approver_by: 'authority' | 'role' | 'employee' | 'reporting_manager' | 'department_head' | 'branch_head';
  role_id: number | null;
  employee_id: number | null;
  need: Need;
  need_n: number | null;
}

interface Step extends Row {
  id?: number;
  level: number;
  approver_id: number;
  state: 'later' | 'waiting' | Verdict | 'not_needed';
  need: Need;
  need_n: number | null;
}

/** What to do when a level finds nobody to ask; whoever asks is never asked themselves. */
const REMEDIES: Record<Level['approver_by'], string> = {
  authority: 'Complete the list of authorities.',
  role: 'Give the role that the approval process names to somebody else.',
  employee: 'Name somebody else in the approval process, with an account.',
  reporting_manager: 'Enter at "Reports to" of your employee record a person with an account.',
  department_head: 'Your department needs another person with an account as its head.',
  branch_head: 'The branch needs another person with an account as its head.',
};

const REQUEST = 'approval_request';
const FIELDS = ['state', 'current_level', 'waiting_for_ids', 'decided_by_ids', 'steps', 'digest', 'began_again'];
const OF_NEW = [
  'subject',
  'transaction_type',
  'record_id',
  'address',
  'amount',
  'asked_by_id',
  'asked_at',
  'branch_id',
];

export interface ApprovalDeps {
  engine: () => Engine;
  screens(session: Session): ReadonlyMap<string, Screen>;
  notifications: Notifications;
}

/** Approval by the client's processes and authorities (act.md §3.6, §5.8). */
export function createApprovals({ engine, screens, notifications }: ApprovalDeps): Approvals {
  const requestScreen = (session: Session) => screens(session).get(REQUEST);

  async function processOf(session: Session, screen: Screen, record: WireRecord) {
    const { db, schema } = session.tenant;
    const [found] = await db.query<{ id: number; mode: ApprovalMode }>(
      `select id, mode from ${tableName(schema, 'approval_process')} where active and entity_id = $1 and transaction_type = $2
         and (coalesce(cardinality(branch_ids), 0) = 0 or $3 = any(branch_ids)) order by cardinality(branch_ids) desc nulls last, id limit 1`,
      [session.entityId, screen.name, record.branch_id ?? null],
    );
    if (!found) return null;
    const levels = await db.query<Level>(
      `select level, amount_from, approver_by, role_id, employee_id, need, need_n from ${childTable(schema, 'approval_process', 'levels')} where parent_id = $1 order by level`,
      [found.id],
    );
    return { ...found, levels };
  }

  /** The accounts that a level asks, without whoever asks. */
  async function peopleOf(session: Session, screen: Screen, record: WireRecord, level: Level): Promise<number[]> {
    const { db, schema } = session.tenant;
    const s = quoted(schema);
    const usable = `u.active and u.status = 'active' and not coalesce(u.is_service, false) and u.id <> $1`;
    const ofRole = (role: number | null) =>
      db.query<{ id: number }>(
        `select distinct u.id from ${s}.users u join ${s}.users__companies c on c.parent_id = u.id and c.entity_id = $2 where ${usable} and $3 = any(c.role_ids) order by 1`,
        [session.userId, session.entityId, role],
      );
    const ofEmployees = (ids: (number | null)[]) =>
      db.query<{ id: number }>(
        `select u.id from ${s}.users u where ${usable} and u.employee_id = any($2::bigint[]) order by 1`,
        [session.userId, ids.filter((id) => id !== null)],
      );
    const one = async (text: string, id: unknown) => {
      if (typeof id !== 'number') return [];
      return ofEmployees((await db.query<{ id: number | null }>(text, [id])).map((row) => row.id));
    };
    const rows = await (async () => {
      switch (level.approver_by) {
        case 'role':
          return ofRole(level.role_id);
        case 'employee':
          return ofEmployees([level.employee_id]);
        case 'reporting_manager':
          return one(`select reporting_to_id as id from ${s}.employee where id = $1`, session.employeeId);
        case 'department_head':
          return one(
            `select d.head_id as id from ${s}.employee e join ${s}.department d on d.id = e.department_id where e.id = $1`,
            session.employeeId,
          );
        case 'branch_head':
          return one(`select head_id as id from ${s}.branch where id = $1`, record.branch_id);
        case 'authority': {
          const held = await db.query<{ role_id: number | null; employee_id: number | null; kind: string }>(
            `select role_id, employee_id, approver_kind as kind from ${tableName(schema, 'approval_list')}
             where active and entity_id = $1 and transaction_type = $2 and level = $3 and valid_from <= $6::date and coalesce(valid_to >= $6::date, true)
               and (coalesce(cardinality(branch_ids), 0) = 0 or $4 = any(branch_ids))
               and ($5::numeric is null or coalesce(amount_from, 0) <= $5 and coalesce(amount_to >= $5, true))`,
            [
              session.entityId,
              screen.name,
              level.level,
              record.branch_id ?? null,
              amountOf(screen, record),
              todayOf(session),
            ],
          );
          const found = await Promise.all(
            held.map(({ kind, role_id: role, employee_id: employee }) =>
              kind === 'role' ? ofRole(role) : ofEmployees([employee]),
            ),
          );
          return found.flat();
        }
      }
    })();
    return [...new Set(rows.map(({ id }) => id))];
  }

  async function readRequest(session: Session, id: number): Promise<WireRecord> {
    return engine().read(elevated(session), requestScreen(session)!, id);
  }

  async function write(session: Session, id: number, set: Row): Promise<void> {
    const { version } = await readRequest(session, id);
    const screen = openedFields(requestScreen(session)!, [...FIELDS, ...stepColumns(requestScreen(session)!)]);
    await engine().update(elevated(session), screen, id, { ...set, version }, 'action');
  }

  async function tell(
    session: Session,
    event: string,
    to: number[],
    record: WireRecord,
    more: Row = {},
  ): Promise<void> {
    const { tenant } = session;
    await notifications.notify(tenant.db, tenant, {
      event,
      to: to.filter((id) => id !== session.userId),
      entityId: session.entityId,
      link: `/approval/view/${record.id}`,
      record: { type: REQUEST, id: record.id },
      values: {
        list: 'Approvals',
        record: String(record.subject),
        state: String(record.state),
        actor: session.userName,
        for: '',
        ...(more as Record<string, string>),
      },
      ...(event === 'approval.assigned' && { groupKey: 'approval' }),
    });
  }

  /** The first level that has somebody to ask, as waiting; the others come later. */
  const begin = (steps: Step[]): { steps: Step[]; current_level: number; waiting_for_ids: number[] } => {
    const first = Math.min(...steps.map(({ level }) => level));
    return {
      steps: steps.map((step) => ({ ...step, state: step.level === first ? 'waiting' : 'later' })),
      current_level: first,
      waiting_for_ids: steps.filter(({ level }) => level === first).map(({ approver_id: id }) => id),
    };
  };

  return {
    async ask(session, screen, record) {
      const screenOfRequests = requestScreen(session);
      if (!screenOfRequests || screen.scope === 'platform') return 'none';
      const process = await processOf(session, screen, record);
      if (!process) return 'none';
      const amount = amountOf(screen, record);
      const levels = levelsFor(process.levels, amount, process.mode);
      if (levels.length === 0) return 'agreed';
      const steps: Step[] = [];
      for (const level of levels)
        for (const id of await peopleOf(session, screen, record, level))
          steps.push({ level: level.level, approver_id: id, state: 'later', need: level.need, need_n: level.need_n });
      // A level without people goes to the next one; above the highest there is none, and its word cannot be left out.
      const highest = levels.at(-1)!;
      if (!steps.some(({ level }) => level === highest.level)) {
        const branch = record.branch_id__label === undefined ? '' : ` at ${String(record.branch_id__label)}`;
        const of = amount === null ? '' : ` of ${formatMoney(amount)}`;
        const remedies = [REMEDIES[highest.approver_by]];
        throw new AppError(
          422,
          'invalid',
          `No approver found for this ${inSentence(screen.title)}${of}${branch}, level ${highest.level}. ${remedies.join(' ')}`,
        );
      }
      const begun = begin(steps);
      const made = await engine().create(
        elevated(session),
        openedFields(screenOfRequests, [...OF_NEW, ...FIELDS, ...stepColumns(screenOfRequests)]),
        {
          subject: subjectOf(screen, record),
          transaction_type: screen.name,
          record_id: record.id,
          address: (screen.routes.view ?? screen.routes.edit ?? screen.routes.landing).replace(
            ':id',
            String(record.id),
          ),
          amount,
          asked_by_id: session.userId,
          asked_at: new Date().toISOString(),
          branch_id: record.branch_id ?? null,
          state: 'waiting',
          digest: digestOf(screen, record),
          ...begun,
        },
        'action',
      );
      await tell(session, 'approval.assigned', begun.waiting_for_ids, made);
      return 'open';
    },
    async open(session, screen, id) {
      if (!requestScreen(session)) return null;
      const { db, schema } = session.tenant;
      const table = tableName(schema, REQUEST);
      const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
      if (!there?.there) return null;
      const [row] = await db.query<{ id: number; waiting: number[] | null; amount: string | null }>(
        `select id, waiting_for_ids as waiting, amount from ${table} where transaction_type = $1 and record_id = $2 and state = 'waiting' order by id desc limit 1 for update`,
        [screen.name, id],
      );
      return row ? { id: row.id, waitingFor: row.waiting ?? [], amount: row.amount } : null;
    },
    async decide(session, request, verdict, { for: giver, remark }) {
      const record = await readRequest(session, request.id);
      const steps = record.steps as Step[];
      const level = record.current_level as number;
      const as = giver?.userId ?? session.userId;
      const said = steps.map((step) =>
        step.level === level && step.approver_id === as && step.state === 'waiting'
          ? { ...step, state: verdict, by_id: session.userId, acted_at: new Date().toISOString(), remark }
          : step,
      );
      const decided = [...new Set([...((record.decided_by_ids as number[] | null) ?? []), session.userId])];
      const asker = [record.asked_by_id].filter((id): id is number => typeof id === 'number');
      if (verdict !== 'approved') {
        await write(session, request.id, { steps: said, state: verdict, waiting_for_ids: [], decided_by_ids: decided });
        await tell(session, 'approval.decided', asker, { ...record, state: verdict });
        return true;
      }
      const of = said.filter((step) => step.level === level);
      const agreed = of.filter(({ state }) => state === 'approved').length;
      if (!levelDone(of[0]!.need, of[0]!.need_n, of.length, agreed)) {
        await write(session, request.id, {
          steps: said,
          decided_by_ids: decided,
          waiting_for_ids: request.waitingFor.filter((id) => id !== as),
        });
        return false;
      }
      const settled = said.map((step): Step =>
        step.level === level && step.state === 'waiting' ? { ...step, state: 'not_needed' } : step,
      );
      const later = settled.filter(({ state }) => state === 'later');
      if (later.length === 0) {
        await write(session, request.id, {
          steps: settled,
          state: 'approved',
          waiting_for_ids: [],
          decided_by_ids: decided,
        });
        await tell(session, 'approval.decided', asker, { ...record, state: 'approved' });
        return true;
      }
      const next = Math.min(...later.map((step) => step.level));
      const waiting = later.filter((step) => step.level === next).map((step) => step.approver_id);
      await write(session, request.id, {
        steps: settled.map((step): Step => (step.level === next ? { ...step, state: 'waiting' } : step)),
        current_level: next,
        waiting_for_ids: waiting,
        decided_by_ids: decided,
      });
      await tell(session, 'approval.assigned', waiting, record);
      return false;
    },
    async changed(session, screen, record) {
      const request = await this.open(session, screen, record.id);
      if (!request) return;
      const stored = await readRequest(session, request.id);
      const digest = digestOf(screen, record);
      if (stored.digest === digest) return;
      const steps = (stored.steps as Step[]).map((step): Step => ({
        ...step,
        by_id: null,
        acted_at: null,
        remark: null,
      }));
      const agreed = (stored.steps as Step[]).some(({ state }) => state === 'approved');
      const begun = begin(steps);
      await write(session, request.id, {
        ...begun,
        digest,
        ...(agreed && { began_again: `Changed after approval by ${session.userName}.` }),
      });
      if (agreed) await tell(session, 'approval.assigned', begun.waiting_for_ids, stored);
    },
    async withdraw(session, screen, id) {
      const request: OpenRequest | null = await this.open(session, screen, id);
      if (request) await write(session, request.id, { state: 'withdrawn', waiting_for_ids: [] });
    },
  };
}

const stepColumns = (screen: Screen): string[] =>
  (screen.fields.find(({ name }) => name === 'steps')?.rows ?? []).map(({ name }) => `steps.${name}`);

const amountOf = ({ approval }: Screen, record: Row): string | null => {
  const value = approval?.amount === undefined ? null : record[approval.amount];
  return value === null || value === undefined ? null : String(value as string | number);
};

const todayOf = (session: Session): string => dayIn(placeOf(session).timezone);

function subjectOf(screen: Screen, record: WireRecord): string {
  const words = screen.label.map((name) =>
    formatValue(
      screen.fields.find((field) => field.name === name)!,
      record[name],
      record,
    ),
  );
  return `${screen.title} ${words.filter((text) => text !== '').join(' · ') || record.id}`.slice(0, 250);
}

/** What is approved, as one value: another record has another. Whatever the system fills in does not count. */
function digestOf(screen: Screen, record: Row): string {
  const names = screen.approval?.binds;
  const bound = screen.fields.filter(({ name, readOnly }) => (names ? names.includes(name) : !readOnly));
  const values = bound.map(({ name, rows }) => [
    name,
    rows && Array.isArray(record[name])
      ? (record[name] as Row[]).map((row) => rows.map((column) => row[column.name] ?? null))
      : (record[name] ?? null),
  ]);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
