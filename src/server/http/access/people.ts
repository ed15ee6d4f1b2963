import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openTasks } from '../../platform/calendar/open_tasks.ts';
import { companyOfPerson, namesDown, ownAccount, sentForOwn, teamOf } from '../../access/people/own_people.ts';
import { asSelf, PEOPLE, personalFields, WORK_FIELDS } from '../../access/people/people.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface PeopleRouteDeps {
  store: ScreenStore;
  tenantScreens: TenantScreens;
  engine: Engine;
}

type Row = Record<string, unknown>;

/** The maximum number of people in one answer; larger teams are searched in the list of members. */
const MAX_PEOPLE = 5_000;
const NO_EMPLOYEE = 'Your user account is not linked to a member. Ask your administrator to link it.';
const NO_COMPANY = 'Platform administrators do not belong to a company.';

/**
 * The data shown of team members, with the source fields: fields that a client has hidden are not shown here either.
 */
const TEAM_FACTS: Record<string, string> = {
  photo: 'photo',
  mobile: 'mobile',
  work_email: 'work_email',
  date_of_joining: 'date_of_joining',
  designation: 'designation_id',
  department: 'department_id',
  branch: 'branch_id',
};

/** How people see each other: the own team, the own profile, and reporting lines. */
export async function peopleRoutes(
  app: FastifyInstance,
  { store, tenantScreens, engine }: PeopleRouteDeps,
): Promise<void> {
  /** Fields that one's role hides in others' records are visible in one's own. */
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
    return companyOfPerson(session.tenant, session.employeeId);
  }

  async function team(session: Session): Promise<object> {
    if (session.tenant.schema === 'public') return { data: [], me: null, reason: NO_COMPANY };
    const screen = await peopleScreen(session);
    if ((await ownCompany(session)) === null) return { data: [], me: null, reason: NO_EMPLOYEE };
    const rows = await teamOf(session, MAX_PEOPLE + 1);
    const away = Object.entries(TEAM_FACTS).flatMap(([fact, name]) =>
      screen.fields.some((field) => field.name === name && !field.masked) ? [] : [fact],
    );
    for (const row of rows) for (const fact of away) (row as Row)[fact] = null;
    const below = rows.filter(({ depth }) => depth > 0);
    const shown = below.slice(0, MAX_PEOPLE);
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
      more: below.length > MAX_PEOPLE,
      acts_for: acts,
    };
  }

  /** The account, with the languages one may choose. */
  async function account(session: LiveSession): Promise<object> {
    if (session.tenant.schema === 'public')
      return { username: null, name: session.userName, email: session.email, language: null, roles: [], companies: [] };
    return (await ownAccount(session)) ?? {};
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
      await engine.read(asSelf(session, company), screen, session.employeeId!),
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

  /** For a record: the given fields, their labels, and the data needed to change it. */
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

  /** Only the person who uploaded a picture can put it into their own record. */
  async function checkPhoto(session: Session, id: unknown): Promise<void> {
    if (id === null) return;
    if (!(await sentForOwn(session, Number(id), `${PEOPLE}.photo`)))
      throw invalid([{ field: 'photo', message: 'Choose the picture again.' }]);
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
        throw new AppError(
          403,
          'forbidden',
          `${title} is maintained by your company. Ask your administrator to change it.`,
          {
            reason: 'field',
            field: kept,
          },
        );
      }
      const self = asSelf(session, company);
      const stored = await engine.read(self, screen, session.employeeId!);
      if (changes.photo !== undefined && changes.photo !== stored.photo) await checkPhoto(session, changes.photo);
      await engine.update(self, screen, session.employeeId!, { ...changes, version }).catch((error: unknown) => {
        // The rest of the record is unchanged, even if somebody else changes it concurrently.
        if (error instanceof AppError && error.code === 'stale_version')
          throw new AppError(409, error.code, error.message, {
            extra: { changed_by: error.extra.changed_by, changed_at: error.extra.changed_at },
          });
        throw error;
      });
    }
    if (language !== undefined) {
      // Changing one's own language needs no right on users; the rest of the account is unchanged.
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

  /** The names from a person down to a subordinate; empty if the other is not one. */
  async function pathDown(session: Session, from: number, to: number): Promise<string[]> {
    return namesDown(session.tenant, from, to);
  }

  async function move(request: FastifyRequest): Promise<object> {
    const { session, screen } = await reporting(request);
    const { id: asked } = request.params as { id: string };
    const { reporting_to_id: to, version } = request.body as { reporting_to_id: number | null; version: number };
    if (!/^\d{1,15}$/.test(asked)) throw notFound();
    const id = Number(asked);
    const person = await engine.read(session, screen, id);
    if (to !== null) {
      // A person who is not visible is refused by the engine, in its own words, and not named.
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
