import type { FastifyInstance } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { BoardSite, CallBoard, CallChoices, FoundLift } from '../../../domain/fms/call_board.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { companyOf } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import { inUnit } from '../../engine/records/unit_of_work.ts';
import { techniciansOf } from '../../modules/fms_tickets/suggestions.ts';

export interface LiftCallRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  engine: Engine;
}

const TICKET = 'fms_ticket';
const OPEN = ['new', 'assigned', 'accepted', 'travelling', 'attending', 'paused'];
/** More tickets than these are not drawn on one board. */
const MAX_TICKETS = 500;
const MAX_FOUND = 20;
const LEAST_LETTERS = 2;
const COLUMNS =
  'ticket_no,status,priority,lift_id,building_id,customer_id,category_id,subcategory_id,technician_id,team_id,branch_id,reported_at,planned_on,trapped,all_out_at,trapped_count,injured_count,rescue_step,offered_to_all,source,confirmed_at,cover,description,respond_by,restore_by,respond_clock,restore_clock,responded_at,offer_ends_at,ticket_type';

/** The branches whose calls the person looks after; null = all. */
function branchesOf(session: LiveSession, ticket: Screen): number[] | null {
  return !session.rights.isAdmin && session.rights.dataScope(ticket) === 'branch' ? session.branchIds : null;
}

/** The board of the dispatcher, and what the desk finds while somebody is on the telephone. */
export async function liftCallRoutes(
  app: FastifyInstance,
  { screens, ensure, engine }: LiftCallRouteDeps,
): Promise<void> {
  const ready = async (session: Session): Promise<{ all: Map<string, Screen>; ticket: Screen }> => {
    const all = screens(session);
    const ticket = all.get(TICKET);
    if (!ticket || session.tenant.schema === 'public') throw notFound();
    companyOf(session);
    await ensure(session.tenant, [
      ...neededTypes(all, ticket),
      'team',
      'route_mstr',
      'expertise_level',
      'ticket_subcategory_mstr',
    ]);
    return { all, ticket };
  };
  const listed = async (session: Session, ticket: Screen, filter: unknown, size: number, sort = 'restore_by') => {
    const query = parseListQuery(
      { filter: JSON.stringify(filter), columns: COLUMNS, size: String(size), sort, count: 'none' },
      ticket,
    );
    return (await engine.list(session, ticket, query)).data as WireRecord[];
  };

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/fms/board`, async (request): Promise<{ data: CallBoard }> => {
      const session = request.session as LiveSession;
      const { ticket } = await ready(session);
      authorize(session, { ...ticket, access: { ...ticket.access, screens: ['SCN_FMS_ASSIGN_TICKET'] } }, 'landing');
      const tickets = await listed(session, ticket, ['status', 'in', OPEN], MAX_TICKETS);
      const [technicians, sites] = await inUnit(session, async (work) => {
        const unit = engine.unit(work);
        return [
          await techniciansOf(unit, branchesOf(session, ticket)),
          await unit.query<BoardSite>(
            `select t.id, b.geo as at, t.lift_id as "liftId", r.team_id as "teamId", coalesce(t.trapped, false) as "isRescue",
               coalesce(greatest((select x.level from {expertise_level} x where x.id = l.expertise_level_id),
                 (select x.level from {ticket_category_mstr} c join {expertise_level} x on x.id = c.expertise_level_id where c.id = t.category_id)), 0) as level,
               (select s.minutes from {ticket_subcategory_mstr} s where s.id = t.subcategory_id) as minutes
             from {fms_ticket} t join {lift} l on l.id = t.lift_id left join {building} b on b.id = t.building_id
               left join {route_mstr} r on r.id = b.route_id where t.id = any($1::bigint[])`,
            [tickets.map(({ id }) => id)],
          ),
        ] as const;
      });
      return { data: { tickets, technicians, sites: [...sites], more: tickets.length === MAX_TICKETS } };
    });

    /** What a call may be: types of ticket, categories and subcategories with what the desk says to the caller. */
    app.get(`${prefix}/fms/call_choices`, async (request): Promise<{ data: CallChoices }> => {
      const session = request.session as LiveSession;
      const { ticket } = await ready(session);
      authorize(session, ticket, 'add_screen');
      return inUnit(session, async (work) => {
        const unit = engine.unit(work);
        return {
          data: {
            definitions: await unit.query(
              'select id, ticket_type as type from {ticket_definition} where active order by code',
            ),
            categories: await unit.query(
              `select id, name, coalesce(ticket_definition_ids, '{}') as definitions from {ticket_category_mstr} where active order by priority, name`,
            ),
            subcategories: await unit.query(
              'select id, name, ticket_category_id as category, phone_advice as advice from {ticket_subcategory_mstr} where active order by name',
            ),
          },
        };
      });
    });

    /** Lifts by number, QR label, building, or the phone of somebody at the customer. */
    app.get<{ Querystring: { q?: string; lift?: string } }>(
      `${prefix}/fms/find_lift`,
      async (request): Promise<{ data: FoundLift[] }> => {
        const session = request.session as LiveSession;
        const { all, ticket } = await ready(session);
        authorize(session, ticket, 'add_screen');
        const text = (request.query.lift ?? request.query.q ?? '').trim();
        if (text.length < LEAST_LETTERS && !/^\d+$/.test(text))
          throw new AppError(400, 'bad_request', `Enter at least ${LEAST_LETTERS} letters.`, { field: 'q' });
        await ensure(
          session.tenant,
          ['contract', 'contract_line', 'billing'].filter((type) => all.has(type)),
        );
        const hasBills = all.has('billing');
        const digits = text.replace(/\D/g, '');
        const rows = await inUnit(session, (work) =>
          engine.unit(work).query<Omit<FoundLift, 'open'>>(
            `select l.id, l.lift_no as "liftNo", l.position_name as position, l.running, l.status, b.id as "buildingId", b.name as building, b.address,
               c.id as "customerId", c.name as customer, c.status = 'blocked' as blocked, c.hold_reason as "holdReason", b.key_holder as "keyHolder", b.key_phone as "keyPhone",
               l.intercom, l.rescue_device as "rescueDevice",
               (select string_agg(k.name || ' ' || k.phone, ', ') from {building.site_contacts} k where k.parent_id = b.id) as contacts,
               ${
                 hasBills
                   ? `(select sum(o.outstanding)::text from {billing} o where o.customer_id = c.id and o.status = 'posted' and o.outstanding > 0)`
                   : 'null'
               } as dues
             from {lift} l join {building} b on b.id = l.building_id join {customer_dtl} c on c.id = b.customer_id
             where l.entity_id = $1 and ($6::bigint[] is null or b.branch_id = any($6)) and l.active and l.status <> 'decommissioned' and (
               ($4::boolean and (l.lift_no = $2 or l.id::text = $2))
               or (not $4::boolean and (l.lift_no ilike '%' || $3 || '%' or b.name ilike '%' || $3 || '%' or b.building_no ilike '%' || $3 || '%'
                 or l.position_name ilike '%' || $3 || '%' or c.name ilike '%' || $3 || '%'
                 or (length($5) >= 6 and (regexp_replace(coalesce(c.phone, ''), '\\D', '', 'g') like '%' || $5
                   or regexp_replace(coalesce(b.key_phone, ''), '\\D', '', 'g') like '%' || $5
                   or exists (select 1 from {building.site_contacts} k where k.parent_id = b.id and regexp_replace(k.phone, '\\D', '', 'g') like '%' || $5)
                   or exists (select 1 from {customer_dtl.contacts} k where k.parent_id = c.id and regexp_replace(k.phone, '\\D', '', 'g') like '%' || $5))))))
             order by (l.lift_no = $2) desc, b.name, l.lift_no limit ${MAX_FOUND}`,
            [
              session.entityId,
              text,
              text.replace(/[\\%_]/g, '\\$&'),
              request.query.lift !== undefined,
              digits,
              branchesOf(session, ticket),
            ],
          ),
        );
        const open =
          rows.length === 0
            ? []
            : await listed(
                session,
                ticket,
                ['and', ['lift_id', 'in', rows.map(({ id }) => id)], ['status', 'in', OPEN]],
                MAX_FOUND * 5,
                '-reported_at',
              );
        return { data: rows.map((row) => ({ ...row, open: open.filter((one) => one.lift_id === row.id) })) };
      },
    );
  }
}
