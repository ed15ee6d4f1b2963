import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, invalid } from '../../db/errors.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { PeopleRecords } from './people_records.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { PEOPLE } from './people.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { zoneSql, zonesOf } from '../../services/clock/zones.ts';
import { takeStoredStep } from '../../db/stored_step.ts';
import { announceDisabled, closeSessions } from './disabled_account.ts';
import { CHANGES, emptyHeads, handOver, holdingsOf, sumOf } from './holdings.ts';
import { notifyJoined, notifyLeaving, notifyNewManager, notifyWithoutHead } from './people_notices.ts';

export interface Change extends Record<string, unknown> {
  id: number;
  employee_id: number;
  change: string;
  effective_from: string;
  reporting_to_id: number | null;
  no_manager: boolean | null;
  resigned_on: string | null;
  leaving_reason_id: number | null;
  hand_over_to_id: number | null;
  hand_over: Record<string, number> | null;
  /** Which KPIs count into other sheets from then on, as the module of KPIs wrote it. */
  relinks: unknown[] | null;
  entity_id: number;
  created_by: number | null;
}

const COPIED = ['branch_id', 'department_id', 'designation_id', 'grade_id'];
const WORDS: Record<string, string> = {
  reporting_to_id: 'manager',
  branch_id: 'branch',
  department_id: 'department',
  designation_id: 'designation',
  grade_id: 'grade',
};

/** Values that only a change may set: the form shows them. */
const STANDING = ['status', 'resigned_on', 'last_working_day', 'date_of_leaving', 'leaving_reason_id'];

/** A person's current day is that of their branch. */
const OF_PERSON = { branch: 'e.branch_id', entity: 'e.entity_id' };

export interface ChangeDeps {
  store: { screens(): Map<string, Screen> };
  /** The screens of a client. */
  tenantScreens: { bySettings(tenant: Tenant, screen: Screen): Promise<Screen> };
  engine: PeopleRecords;
  notifications: Notifications;
  /** What follows from a new manager beside the tree, in the same transaction. @returns what was done; null = nothing */
  moved(session: Session, change: Change): Promise<string | null>;
}

/** Executes dated changes of people: at once, or on their day. */
export class EmployeeChanges {
  readonly #deps: ChangeDeps;

  constructor(deps: ChangeDeps) {
    this.#deps = deps;
  }

  /** The screens of people and of their changes, with their tables created. */
  async screens(tenant: Tenant): Promise<{ people: Screen; changes: Screen } | null> {
    const screens = this.#deps.store.screens();
    const [people, changes] = [screens.get(PEOPLE), screens.get(CHANGES)];
    if (!people?.tree?.closure || !changes || tenant.schema === 'public') return null;
    await ensureTables(tenant, screens, [PEOPLE, CHANGES]);
    const { tenantScreens } = this.#deps;
    return {
      people: openedFields(await tenantScreens.bySettings(tenant, people), STANDING),
      changes: await tenantScreens.bySettings(tenant, changes),
    };
  }

  /** Marks people who leave on a later day, and executes due changes. @returns how many succeeded and failed */
  async applyDue(tenant: Tenant): Promise<{ done: number; failed: number }> {
    const count = { done: 0, failed: 0 };
    if (!(await this.screens(tenant))) return count;
    const values = new SqlParams();
    const zone = zoneSql(await zonesOf(tenant), values, OF_PERSON);
    const rows = await tenant.db.query<Change>(
      preparedStatement(
        `select h.* from ${tableName(tenant.schema, CHANGES)} h join ${tableName(tenant.schema, PEOPLE)} e on e.id = h.employee_id
         where h.active and h.state = 'planned' and (h.effective_from <= (now() at time zone ${zone})::date or (h.change = 'leave' and e.status = 'active'))
         order by h.effective_from, h.id limit 500`,
        values.list,
      ),
    );
    for (const row of rows) {
      const state = await this.apply(tenant, row);
      if (state !== 'planned') count[state]++;
    }
    return count;
  }

  /** Executes one change if its day has come; completely or not at all. */
  async apply(tenant: Tenant, row: Change): Promise<'planned' | 'done' | 'failed'> {
    const result = await this.#execute(tenant, row);
    return result instanceof AppError ? 'failed' : result;
  }

  /** The state of a change after its execution, or why it failed. */
  async #execute(tenant: Tenant, row: Change): Promise<'planned' | 'done' | AppError> {
    const table = tableName(tenant.schema, CHANGES);
    const finish = (on: Queryable, state: string, result: string) =>
      on.query(
        preparedStatement(
          `update ${table} set state = $2, result = $3, version = version + 1, updated_at = now() where id = $1 and state = 'planned' returning id`,
          [row.id, state, result.slice(0, 1000)],
        ),
      );
    const values = new SqlParams();
    const day = `(now() at time zone ${zoneSql(await zonesOf(tenant), values, OF_PERSON)})::date`;
    const [today] = await tenant.db.query<{ day: string; before: string }>(
      preparedStatement(
        `select ${day}::text as day, (${day} - 1)::text as before from ${tableName(tenant.schema, PEOPLE)} e where e.id = ${values.bind(row.employee_id)}`,
        values.list,
      ),
    );
    const due = row.effective_from <= (row.change === 'leave' ? today!.before : today!.day);
    if (!due && row.change !== 'leave') return 'planned';
    try {
      return await this.#deps.engine.transaction(acting(tenant, row), async (unit) => {
        const own = unit.session.tenant;
        const tx = own.db;
        // Two processes, or a person and the scheduler, must not execute it twice.
        const [open] = await tx.query<{ id: number }>(
          preparedStatement(`select id from ${table} where id = $1 and state = 'planned' for update`, [row.id]),
        );
        if (!open) return 'planned';
        const [manager] =
          row.reporting_to_id === null
            ? []
            : await tx.query<{ company: number }>(
                preparedStatement(
                  `select entity_id as company from ${tableName(tenant.schema, PEOPLE)} where id = $1`,
                  [row.reporting_to_id],
                ),
              );
        const session = acting(own, row, manager?.company);
        const result =
          row.change === 'leave'
            ? await this.#leave(session, tx, row, due, today!.day)
            : await this.#move(session, tx, row);
        if (!due) return 'planned';
        await finish(tx, 'done', result);
        return 'done';
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await finish(tenant.db, 'failed', error.message);
      return error;
    }
  }

  /** A move, or a return: a person who left becomes active again under the same number, possibly elsewhere. */
  async #move(session: Session, tx: Queryable, row: Change): Promise<string> {
    const { people } = (await this.screens(session.tenant))!;
    const person = await this.#deps.engine.read(session, people, row.employee_id);
    const returns = row.change === 'join';
    if (returns && person.status !== 'left') throw new AppError(409, 'bad_state', 'This person has not left.');
    const set: Record<string, unknown> = returns
      ? { status: 'active', resigned_on: null, last_working_day: null, date_of_leaving: null, leaving_reason_id: null }
      : {};
    for (const name of COPIED) if (row[name] !== null && row[name] !== person[name]) set[name] = row[name];
    if (row.reporting_to_id !== null || row.no_manager === true)
      if (person.reporting_to_id !== row.reporting_to_id) set.reporting_to_id = row.reporting_to_id;
    // A sub-department belongs to its department.
    if ('department_id' in set) set.subdepartment_id = null;
    if (Object.keys(set).length === 0) return 'Nothing was different.';
    const moved = await this.#deps.engine.update(
      session,
      people,
      row.employee_id,
      { ...set, version: person.version },
      `change ${row.id}`,
    );
    if (returns) await notifyJoined(this.#deps.notifications, tx, session, moved, row.effective_from);
    else if ('reporting_to_id' in set)
      await notifyNewManager(this.#deps.notifications, tx, session, { before: person, now: moved }, row);
    if (returns) return 'Active again.';
    const words = Object.keys(set)
      .flatMap((name) => WORDS[name] ?? [])
      .join(', ');
    const besides = 'reporting_to_id' in set ? await this.#deps.moved(session, row) : null;
    const changed = `${words.charAt(0).toUpperCase()}${words.slice(1)} changed.`;
    return besides === null ? changed : `${changed} ${besides}`;
  }

  /** Until the end of the last working day: on notice. Afterwards: everything is handed over and the account closed. */
  async #leave(session: Session, tx: Queryable, row: Change, due: boolean, today: string): Promise<string> {
    const { people } = (await this.screens(session.tenant))!;
    const { engine, store, notifications } = this.#deps;
    const person = await engine.read(session, people, row.employee_id);
    const what = `change ${row.id}`;
    const facts = {
      last_working_day: row.effective_from,
      resigned_on: row.resigned_on ?? person.resigned_on ?? (today < row.effective_from ? today : row.effective_from),
    };
    if (!due) {
      if (person.status === 'active') {
        await engine.update(
          session,
          people,
          row.employee_id,
          { ...facts, status: 'on_notice', version: person.version },
          what,
        );
        await notifyLeaving(notifications, tx, session, person, row.effective_from);
      }
      return '';
    }
    const held = await holdingsOf(session, people, store.screens(), { id: row.employee_id, company: row.entity_id });
    const others = row.hand_over ?? {};
    const moved = await handOver(tx, session, store.screens(), engine, row.employee_id, held, what, ({ key }) =>
      key === 'reports'
        ? (others.reports ?? row.reporting_to_id ?? (person.reporting_to_id as number | null))
        : (others[key] ?? row.hand_over_to_id),
    );
    const now = await engine.read(session, people, row.employee_id);
    if (now.status !== 'left')
      await engine.update(
        session,
        people,
        row.employee_id,
        {
          ...facts,
          status: 'left',
          date_of_leaving: row.effective_from,
          leaving_reason_id: row.leaving_reason_id,
          version: now.version,
        },
        what,
      );
    if (person.status === 'active') await notifyLeaving(notifications, tx, session, person, row.effective_from);
    const empty = await emptyHeads(tx, session, store.screens(), engine, row.employee_id, what);
    if (empty.length > 0) await notifyWithoutHead(notifications, tx, session, person, empty);
    const closed = await closeAccount(tx, session, store.screens(), row.employee_id);
    const left = sumOf(held.filter(({ movable }) => movable)) - moved - empty.length;
    const headless =
      empty.length === 0
        ? null
        : `${empty.map(({ name }) => name).join(', ')} ${empty.length === 1 ? 'has' : 'have'} no head now.`;
    return [
      `Left. ${moved} handed over.`,
      headless,
      left > 0 ? `${left} are still with the person.` : null,
      closed ? 'The account is closed.' : null,
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** Cancels a planned departure. */
  async withdraw({ tenant }: Session, employee: number): Promise<void> {
    await tenant.db.query(
      preparedStatement(
        `update ${tableName(tenant.schema, CHANGES)} set active = false, version = version + 1, result = 'Withdrawn.', updated_at = now() where employee_id = $1 and change = 'leave' and state = 'planned' and active`,
        [employee],
      ),
    );
  }

  /** Saves a change and executes it if it is due. @throws AppError 422 if it is not possible */
  async enter(session: Session, record: Record<string, unknown>): Promise<WireRecord> {
    const { changes } = (await this.screens(session.tenant))!;
    const made = await this.#deps.engine.create(session, changes, record);
    if (record.hand_over)
      await session.tenant.db.query(
        preparedStatement(
          `update ${tableName(session.tenant.schema, CHANGES)} set hand_over = $2::jsonb where id = $1`,
          [made.id, JSON.stringify(record.hand_over)],
        ),
      );
    if (record.relinks)
      await session.tenant.db.query(
        preparedStatement(
          `update ${tableName(session.tenant.schema, CHANGES)} set relinks = $2::jsonb, relinked = $3 where id = $1`,
          [made.id, JSON.stringify(record.relinks), record.relinked ?? null],
        ),
      );
    const result = await this.#execute(session.tenant, {
      ...(made as unknown as Change),
      hand_over: (record.hand_over as Record<string, number> | undefined) ?? null,
      relinks: (record.relinks as unknown[] | undefined) ?? null,
    });
    const after = await this.#deps.engine.read(session, changes, made.id);
    if (after.state === 'failed') {
      // An immediate change that fails is refused, not stored as a failure.
      await session.tenant.db.query(
        preparedStatement(`delete from ${tableName(session.tenant.schema, CHANGES)} where id = $1`, [made.id]),
      );
      const own = result instanceof AppError ? result.details.filter(({ field }) => field in WORDS) : [];
      throw invalid(own.length > 0 ? own : [{ field: 'employee_id', message: String(after.result) }]);
    }
    return after;
  }
}

/** A session of the person who entered the change, for executing it: rights were checked when it was entered. */
function acting(tenant: Tenant, row: Change, managers = row.entity_id): Session {
  return {
    sid: 'change',
    tenant,
    userId: row.created_by ?? 0,
    userName: '',
    employeeId: null,
    entityId: row.entity_id,
    entityIds: [row.entity_id, managers],
    branchIds: [],
    rights: { isAdmin: true, version: 0, refuse: () => null, refuseAction: () => null, dataScope: () => 'company' },
  };
}

/**
 * Disables the account unless the client decides otherwise; the last administrator is kept. @returns whether it was
 * disabled
 */
async function closeAccount(
  tx: Queryable,
  { tenant }: Session,
  screens: ReadonlyMap<string, Screen>,
  employee: number,
): Promise<boolean> {
  const s = quoted(tenant.schema);
  const [there] = await tx.query<{ there: boolean }>(
    preparedStatement('select to_regclass($1) is not null as there', [`${s}.configuration`]),
  );
  if (there?.there) {
    const [wish] = await tx.query<{ closes: boolean | null }>(
      preparedStatement(
        `select employee_left_disables_user as closes from ${s}.configuration where active order by id limit 1`,
        [],
      ),
    );
    if (wish?.closes === false) return false;
  }
  const rows = await takeStoredStep(tx, tenant.schema, screens.get('users'), 'close', {
    which: (bind) => `r.employee_id = ${bind(employee)}
       and (not coalesce(r.is_admin, false) or exists (select 1 from ${s}.users o where o.id <> r.id and o.is_admin and o.active and o.status = 'active'))`,
    cause: 'leaving',
  });
  await announceDisabled(tx, tenant.schema, rows);
  for (const { id } of rows) await closeSessions(tx, tenant.schema, id);
  return rows.length > 0;
}
