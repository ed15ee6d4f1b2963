import { zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openTasks } from '../../platform/calendar/open_tasks.ts';
import { asOneself, PEOPLE, personalFields, WORK_FIELDS } from '../../access/people/people.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface PeopleRouteDeps {
  store: ScreenStore;
  tenantScreens: TenantScreens;
  engine: Engine;
}

type Row = Record<string, unknown>;

/** People of one answer at most; a team beyond that is searched in the list of members. */
const MOST_PEOPLE = 5_000;
const NO_EMPLOYEE =
  'Your user account is not linked to a member. Ask your administrator to choose the member in your account.';
const NO_COMPANY = 'Platform administrators belong to no company.';

/** What is told of the people of a team, with the field it comes from: what a client has hidden is not told here either. */
const TEAM_FACTS: Record<string, string> = {
  photo: 'photo',
  mobile: 'mobile',
  work_email: 'work_email',
  date_of_joining: 'date_of_joining',
  designation: 'designation_id',
  department: 'department_id',
  branch: 'branch_id',
};

/** People as they see each other: the own team, the own profile, and who reports to whom. */
export async function peopleRoutes(
  app: FastifyInstance,
  { store, tenantScreens, engine }: PeopleRouteDeps,
): Promise<void> {
  /** What one's own role keeps of others is no secret in one's own record. */
  const asOwn = (session: Session): Session => ({
    ...session,
    rights: { ...session.rights, restricted: false } as CompiledRights,
  });

  async function peopleScreen(session: Session): Promise<Screen> {
    const screen = tenantScreens.of(session).get(PEOPLE);
    if (!screen?.tree?.closure || session.tenant.schema === 'public') throw notFound();
    const referred = screen.fields
      .flatMap((field) => [field, ...(field.rows ?? [])])
      .flatMap((field) => (field.ref ? [field.ref.type] : []));
    await ensureTables(
      session.tenant,
      store.screens(),
      [PEOPLE, ...referred].filter((type) => store.screens().has(type)),
    );
    return screen;
  }

  /** The company of the person's own record; null when there is none. */
  async function ownCompany(session: Session): Promise<number | null> {
    if (session.employeeId === null) return null;
    const [row] = await session.tenant.db.query<{ entity_id: number }>(
      `select entity_id from ${tableName(session.tenant.schema, PEOPLE)} where id = $1 and active`,
      [session.employeeId],
    );
    return row?.entity_id ?? null;
  }

  async function team(session: Session): Promise<object> {
    if (session.tenant.schema === 'public') return { data: [], me: null, reason: NO_COMPANY };
    const screen = await peopleScreen(session);
    if ((await ownCompany(session)) === null) return { data: [], me: null, reason: NO_EMPLOYEE };
    const { schema, db } = session.tenant;
    const s = quoted(schema);
    const [delegated] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${s}.delegation`,
    ]);
    // Who has a deputy today is away.
    const deputy = delegated?.there
      ? (
          what: string,
        ) => `(select ${what} from ${s}.delegation a join ${s}.employee p on p.id = a.to_employee_id where a.active and a.from_employee_id = e.id and coalesce(a.state, 'active') not in ('expired', 'revoked')
           and (now() at time zone $4)::date between a.from_date and a.to_date order by a.to_date desc, a.id limit 1)`
      : () => `(select null::text where $4::text is null)`;
    const rows = await db.query<{ id: number; depth: number }>(
      `select e.id, e.empno, e.name, e.photo, e.status, e.mobile, e.work_email, e.date_of_joining, t.depth, e.reporting_to_id as manager_id, m.name as manager, e.last_working_day,
         ${deputy('p.name')} as deputy, ${deputy('a.to_date::text')} as away_until,
         d.name as designation, p.name as department, b.name as branch, case when e.entity_id is distinct from $3 then c.name end as company
       from ${treeTable(schema, PEOPLE)} t join ${s}.employee e on e.id = t.descendant_id
       left join ${s}.employee m on m.id = e.reporting_to_id left join ${s}.designation d on d.id = e.designation_id
       left join ${s}.department p on p.id = e.department_id left join ${s}.branch b on b.id = e.branch_id left join ${s}.entity c on c.id = e.entity_id
       where t.ancestor_id = $1 and (t.depth = 0 or (e.active and e.status <> 'left' and e.entity_id = any($2)))
       order by t.depth, lower(e.name), e.id limit ${MOST_PEOPLE + 1}`,
      [
        session.employeeId,
        session.entityIds,
        session.entityId,
        zoneOf({ entityId: session.entityId }, placeOf(session).zones),
      ],
    );
    const away = Object.entries(TEAM_FACTS).flatMap(([fact, name]) =>
      screen.fields.some((field) => field.name === name && !field.masked) ? [] : [fact],
    );
    for (const row of rows) for (const fact of away) (row as Row)[fact] = null;
    const below = rows.filter(({ depth }) => depth > 0);
    const shown = below.slice(0, MOST_PEOPLE);
    const tasks = Map.groupBy(
      await openTasks(
        session,
        tenantScreens.of(session),
        shown.map(({ id }) => id),
      ),
      ({ employee_id: id }) => id,
    );
    const data = shown.map((row) => ({
      ...row,
      tasks: (tasks.get(row.id) ?? []).map(({ employee_id: _id, ...task }) => task),
    }));
    const acts = (session.actsFor ?? []).map(({ name, until, types, limit }) => ({ name, until, types, limit }));
    return {
      data,
      me: rows.find(({ depth }) => depth === 0) ?? null,
      reason: null,
      more: below.length > MOST_PEOPLE,
      acts_for: acts,
    };
  }

  /** The account, with the languages one may choose. */
  async function account(session: LiveSession): Promise<object> {
    const { db, schema } = session.tenant;
    if (schema === 'public')
      return { username: null, name: session.userName, email: session.email, language: null, roles: [], companies: [] };
    const s = quoted(schema);
    const [user] = await db.query<Row>(
      `select u.username, u.name, u.email, u.language,
         array(select r.role_name from ${s}.role r where r.id = any($2) and r.active order by lower(r.role_name)) as roles,
         array(select e.name from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id and e.active where c.parent_id = u.id order by c.is_default desc nulls last, e.name) as companies
       from ${s}.users u where u.id = $1`,
      [session.userId, session.roleIds],
    );
    return { ...user };
  }

  async function profile(session: LiveSession): Promise<object> {
    const languages =
      store
        .screens()
        .get('users')
        ?.fields.find((field) => field.name === 'language')?.options ?? [];
    const user = await account(session);
    const company =
      session.tenant.schema === 'public' ? null : await peopleScreen(session).then(() => ownCompany(session));
    if (company === null)
      return {
        data: {
          user,
          languages,
          employee: null,
          groups: [],
          work: [],
          reason: session.tenant.schema === 'public' ? NO_COMPANY : NO_EMPLOYEE,
        },
      };
    const screen = await peopleScreen(asOwn(session));
    const [record, groups] = [
      await engine.read(asOneself(session, company), screen, session.employeeId!),
      personalFields(tenantScreens.of(asOwn(session))),
    ] as const;
    const work = screen.fields
      .filter((field) => WORK_FIELDS.includes(field.name))
      .sort((a, b) => WORK_FIELDS.indexOf(a.name) - WORK_FIELDS.indexOf(b.name));
    const seen = new Set([
      ...groups.flatMap(({ fields }) => fields.map(({ field }) => field.name)),
      ...work.map(({ name }) => name),
    ]);
    return {
      data: {
        user,
        languages,
        employee: only(record, seen),
        groups: groups.map(({ title, fields }) => ({ title, fields: fields.map(({ field }) => field) })),
        work,
        reason: null,
      },
    };
  }

  /** Of a record: the fields named, their labels, and what it is changed by. */
  function only(record: WireRecord, names: ReadonlySet<string>): Row {
    const { id, version, name, updated_at: at } = record;
    return {
      id,
      version,
      name,
      updated_at: at,
      ...Object.fromEntries(Object.entries(record).filter(([key]) => names.has(key.replace(/__(label|detail)$/, '')))),
    };
  }

  /** A picture is put into the own record only by whoever sent it. */
  async function checkPhoto(session: Session, id: unknown): Promise<void> {
    if (id === null) return;
    const rows = await session.tenant.db.query(
      `select 1 from ${quoted(session.tenant.schema)}.file where id = $1 and by = $2 and for_field = '${PEOPLE}.photo'`,
      [Number(id), session.userId],
    );
    if (rows.length === 0) throw invalid([{ field: 'photo', message: 'Choose the picture again.' }]);
  }

  async function saveProfile(session: LiveSession, given: Row): Promise<object> {
    const { version, language, ...changes } = given;
    const users = store.screens().get('users');
    if (session.tenant.schema === 'public' || !users) throw notFound();
    const screen = await peopleScreen(asOwn(session));
    const company = await ownCompany(session);
    if (Object.keys(changes).length > 0) {
      if (company === null) throw new AppError(403, 'forbidden', NO_EMPLOYEE, { reason: 'row' });
      const fields = personalFields(tenantScreens.of(asOwn(session))).flatMap((group) => group.fields);
      const kept = Object.keys(changes).find(
        (name) => !fields.some(({ field, editable }) => editable && field.name === name),
      );
      if (kept !== undefined) {
        const title = screen.fields.find(({ name }) => name === kept)?.title ?? kept;
        throw new AppError(403, 'forbidden', `${title} is kept by your company. Ask your administrator to change it.`, {
          reason: 'field',
          field: kept,
        });
      }
      const self = asOneself(session, company);
      const stored = await engine.read(self, screen, session.employeeId!);
      if (changes.photo !== undefined && changes.photo !== stored.photo) await checkPhoto(session, changes.photo);
      await engine.update(self, screen, session.employeeId!, { ...changes, version }).catch((error: unknown) => {
        // The rest of the record stays the company's, also while somebody else changes it.
        if (error instanceof AppError && error.code === 'stale_version')
          throw new AppError(409, error.code, error.message, {
            extra: { changed_by: error.extra.changed_by, changed_at: error.extra.changed_at },
          });
        throw error;
      });
    }
    if (language !== undefined) {
      // One's own language needs no right on users; everything else of the account stays as it is.
      const self: Session = {
        ...session,
        rights: {
          ...session.rights,
          isAdmin: true,
          refuse: () => null,
          refuseAction: () => null,
          dataScope: () => 'all_companies',
        },
      };
      const { version: now } = await engine.read(self, users, session.userId);
      await engine.update(self, users, session.userId, { language, version: now });
    }
    return profile(session);
  }

  async function reporting(request: FastifyRequest): Promise<{ session: LiveSession; screen: Screen }> {
    const session = request.session as LiveSession;
    const screen = await peopleScreen(session);
    authorize(session, screen, 'edit_screen', screen.access.action);
    return { session, screen };
  }

  /** The names from a person down to one below; empty when the other does not stand below. */
  async function pathDown(session: Session, from: number, to: number): Promise<string[]> {
    const tree = treeTable(session.tenant.schema, PEOPLE);
    const rows = await session.tenant.db.query<{ name: string }>(
      `select e.name from ${tree} own join ${tree} line on line.descendant_id = own.descendant_id and line.depth <= own.depth
       join ${tableName(session.tenant.schema, PEOPLE)} e on e.id = line.ancestor_id where own.ancestor_id = $1 and own.descendant_id = $2 order by line.depth desc`,
      [from, to],
    );
    return rows.map(({ name }) => name);
  }

  async function move(request: FastifyRequest): Promise<object> {
    const { session, screen } = await reporting(request);
    const { id: asked } = request.params as { id: string };
    const { reporting_to_id: to, version } = request.body as { reporting_to_id: number | null; version: number };
    if (!/^\d{1,15}$/.test(asked)) throw notFound();
    const id = Number(asked);
    const person = await engine.read(session, screen, id);
    if (to !== null) {
      // Somebody out of sight is refused by the engine, in its own words, and named to nobody.
      const manager = await engine.read(session, screen, to).catch(() => null);
      const path = manager === null ? [] : await pathDown(session, id, to);
      if (path.length > 0) {
        const message =
          path.length === 1
            ? `${String(person.name)} cannot report to themselves. Choose another manager.`
            : `${path.at(-1)} reports to ${path[0]}: ${path.join(' → ')}. Choose another manager.`;
        throw new AppError(422, 'invalid', message, {
          field: 'reporting_to_id',
          details: [{ field: 'reporting_to_id', message }],
        });
      }
    }
    const {
      version: now,
      reporting_to_id,
      reporting_to_id__label,
    } = await engine.update(session, screen, id, { reporting_to_id: to, version });
    return { data: { id, version: now, reporting_to_id, reporting_to_id__label } };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/my_team`, async (request) => team(request.session));
    app.get(`${prefix}/my_profile`, async (request) => profile(request.session as LiveSession));
    app.put(`${prefix}/my_profile`, { schema: { body: { type: 'object' } } }, async (request) =>
      saveProfile(request.session as LiveSession, request.body as Row),
    );
    app.get(`${prefix}/reporting_lines/tree`, async (request) => {
      const { session, screen } = await reporting(request);
      const { root, depth, q = '' } = request.query as Record<string, string | undefined>;
      return {
        data: await engine.tree(session, screen, {
          root: whole(root, 'root'),
          depth: whole(depth, 'depth'),
          q: q.slice(0, 200).replaceAll('\0', ''),
        }),
      };
    });
    app.put(
      `${prefix}/reporting_lines/:id`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['reporting_to_id', 'version'],
            properties: { reporting_to_id: { type: ['integer', 'null'] }, version: { type: 'integer' } },
          },
        },
      },
      move,
    );
  }
}

function whole(given: string | undefined, name: string): number | null {
  if (given === undefined || given === '') return null;
  if (!/^\d{1,15}$/.test(given)) throw new AppError(400, 'bad_request', `${name} is a whole number.`, { field: name });
  return Number(given);
}
