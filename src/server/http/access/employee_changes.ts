import { dayOf, zonesOf } from '../../services/clock/zones.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Relink } from '../../../domain/performance/move_links.ts';
import { linksOfMove, relinkKpis, wordsOfRelinks, wrongRelink } from '../../modules/performance/move_links.ts';
import { unitOf } from '../../engine/records/unit_of_work.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { EmployeeChanges } from '../../access/people/changes.ts';
import { CHANGES, holdingsOf, noticeDays } from '../../access/people/holdings.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface EmployeeChangeDeps {
  notifications: Notifications;
  store: ScreenStore;
  tenantScreens: TenantScreens;
  engine: Engine;
  jobs: Jobs;
}

type Body = Record<string, unknown>;
type Numbered = { Params: { id: string } };

const LINKS = {
  type: 'object',
  required: ['manager', 'from'],
  properties: { manager: { type: 'string', pattern: '^\\d{1,15}$' }, from: { type: 'string', format: 'date' } },
} as const;

const MOVED = ['reporting_to_id', 'branch_id', 'department_id', 'designation_id', 'grade_id'];

/** People move, leave and return, each from a given day. */
export async function employeeChangeRoutes(
  app: FastifyInstance,
  { store, tenantScreens, engine, jobs, notifications }: EmployeeChangeDeps,
): Promise<void> {
  const changes = new EmployeeChanges({
    store,
    tenantScreens,
    engine,
    notifications,
    async moved(session, { relinks, effective_from: from }) {
      if (!relinks || relinks.length === 0) return null;
      const unit = engine.unit(unitOf(session)!, { elevated: true });
      const count = await relinkKpis(unit, relinks as Relink[], from);
      return count === 0 ? null : count === 1 ? 'One KPI counts elsewhere.' : `${count} KPIs count elsewhere.`;
    },
  });

  jobs.define({
    name: 'employee_changes',
    title: 'Apply changes of members that are due',
    cron: '*/10 * * * *',
    after: CHANGES,
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const { done, failed } = await changes.applyDue(tenant);
      return `${done} changes carried out${failed > 0 ? `, ${failed} could not be` : ''}.`;
    },
  });

  async function personOf(
    request: FastifyRequest<Numbered>,
  ): Promise<{ session: Session; people: Screen; person: WireRecord }> {
    const { session } = request;
    const screens = await changes.screens(session.tenant);
    if (!screens) throw notFound();
    const { people } = screens;
    authorize(session, people, 'edit_screen', people.access.action);
    if (!/^\d{1,15}$/.test(request.params.id)) throw notFound();
    return { session, people, person: await engine.read(session, people, Number(request.params.id)) };
  }

  /** The person's company, for callers who see several. */
  const inCompany = (session: Session, person: WireRecord): Session => ({
    ...session,
    entityId: person.entity_id as number,
  });

  function sameVersion(person: WireRecord, version: unknown): void {
    if (version === undefined || version === person.version) return;
    throw new AppError(
      409,
      'stale_version',
      `${String(person.updated_by__label ?? 'Somebody')} changed this in the meantime.`,
      { extra: { changed_by: person.updated_by__label, changed_at: person.updated_at } },
    );
  }

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/employee/:id`;
    app.get<Numbered>(`${at}/holdings`, async (request) => {
      const { session, people, person } = await personOf(request);
      const data = await holdingsOf(session, people, store.screens(), {
        id: person.id,
        company: person.entity_id as number,
      });
      return {
        notice_days: await noticeDays(session.tenant, person.grade_id),
        data: data
          .filter(
            ({ type }) => session.rights.refuse(store.screens().get(type)!, 'landing') === null || type === people.name,
          )
          .map(({ field: _field, ...one }) => one),
      };
    });

    app.get<Numbered & { Querystring: { manager: string; from: string } }>(
      `${at}/move_links`,
      { schema: { querystring: LINKS } },
      async (request) => {
        const { session, person } = await personOf(request);
        const { manager, from } = request.query;
        const move = { employee: person.id, manager: Number(manager), from };
        return { data: await linksOfMove(session, tenantScreens.of(session), move) };
      },
    );

    app.post<Numbered & { Body: Body }>(
      `${at}/move`,
      { schema: { body: { type: 'object', required: ['effective_from'] } } },
      async (request) => {
        const { session, person } = await personOf(request);
        const {
          effective_from: from,
          reason,
          version,
          change,
          moves_open: movesOpen,
          relinks: given,
          ...wanted
        } = request.body;
        sameVersion(person, version);
        const relinks = given === undefined ? [] : relinksOf(given);
        let relinked = '';
        if (relinks.length > 0 && typeof from === 'string') {
          const move = { employee: person.id, manager: (wanted.reporting_to_id ?? null) as number | null, from };
          const offered = await linksOfMove(session, tenantScreens.of(session), move, 'all');
          const wrong = wrongRelink(relinks, offered);
          if (wrong !== null) throw invalid([{ field: 'relinks', message: wrong }]);
          relinked = wordsOfRelinks(relinks, offered);
        }
        const unknown = Object.keys(wanted).find((name) => !MOVED.includes(name));
        if (unknown !== undefined)
          throw new AppError(400, 'bad_request', `A move has no "${unknown}".`, { field: unknown });
        const kind =
          change ??
          (Object.keys(wanted).some((name) => name !== 'reporting_to_id' && wanted[name] !== null)
            ? wanted.grade_id
              ? 'promotion'
              : 'transfer'
            : 'manager');
        const data = await changes.enter(inCompany(session, person), {
          employee_id: person.id,
          change: kind,
          effective_from: from,
          ...wanted,
          ...(movesOpen !== undefined && { moves_open: movesOpen }),
          ...(relinks.length > 0 && { relinks, relinked }),
          no_manager: 'reporting_to_id' in wanted && wanted.reporting_to_id === null,
          remark: reason ?? null,
        });
        return { data };
      },
    );

    app.post<Numbered & { Body: Body }>(
      `${at}/leave`,
      { schema: { body: { type: 'object', required: ['last_working_day', 'leaving_reason_id'] } } },
      async (request) => {
        const { session, person } = await personOf(request);
        const {
          last_working_day: day,
          leaving_reason_id: why,
          reports_to: to,
          resigned_on: resigned,
          hand_over: over,
          hand_over_to_id: heir,
          reason,
          version,
        } = request.body;
        sameVersion(person, version);
        const others = over === undefined ? undefined : takers(over);
        const data = await changes.enter(inCompany(session, person), {
          employee_id: person.id,
          change: 'leave',
          effective_from: day,
          leaving_reason_id: why,
          reporting_to_id: to ?? others?.reports ?? null,
          resigned_on: resigned ?? null,
          hand_over_to_id: heir ?? null,
          remark: reason ?? null,
          ...(others !== undefined && { hand_over: others }),
        });
        return { data };
      },
    );

    app.post<Numbered>(`${at}/stay`, async (request) => {
      const { session, people, person } = await personOf(request);
      if (person.status !== 'on_notice') throw new AppError(409, 'bad_state', 'This person is not on notice.');
      await changes.withdraw(session, person.id);
      return {
        data: await engine.update(
          session,
          people,
          person.id,
          { status: 'active', resigned_on: null, last_working_day: null, version: person.version },
          'stays',
        ),
      };
    });

    app.post<Numbered>(`${at}/rejoin`, async (request) => {
      const { session, people, person } = await personOf(request);
      if (person.status !== 'left') throw new AppError(409, 'bad_state', 'This person has not left.');
      const {
        effective_from: from = dayOf(await zonesOf(session.tenant), {
          branchId: person.branch_id,
          entityId: person.entity_id,
        }),
      } = (request.body ?? {}) as Body;
      await changes.enter(inCompany(session, person), { employee_id: person.id, change: 'join', effective_from: from });
      return { data: await engine.read(session, people, person.id) };
    });
  }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Which KPIs count elsewhere, as a call writes it. */
function relinksOf(given: unknown): Relink[] {
  const good =
    Array.isArray(given) &&
    given.length <= 200 &&
    (given as Record<string, unknown>[]).every(
      (one) =>
        one !== null &&
        typeof one === 'object' &&
        isId(one.sheet_id) &&
        isId(one.kpi_id) &&
        (one.part_key === undefined || typeof one.part_key === 'string') &&
        (one.to === null || isId(one.to)),
    );
  if (!good)
    throw new AppError(400, 'bad_request', 'relinks is a list such as [{"sheet_id": 4, "kpi_id": 7, "to": 9}].', {
      field: 'relinks',
    });
  return (given as Relink[]).map(({ sheet_id, kpi_id, part_key, to }) => ({
    sheet_id,
    kpi_id,
    ...(part_key !== undefined && { part_key }),
    to,
  }));
}

/** The successors: ids by the keys of holdings. */
function takers(given: unknown): Record<string, number> {
  const good =
    given !== null &&
    typeof given === 'object' &&
    !Array.isArray(given) &&
    Object.values(given).every((id) => Number.isSafeInteger(id) && (id as number) > 0);
  if (!good)
    throw new AppError(400, 'bad_request', 'hand_over is an object of ids, such as {"department.head_id": 51}.', {
      field: 'hand_over',
    });
  return given as Record<string, number>;
}
