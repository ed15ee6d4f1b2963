import type { FastifyInstance } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { CallBoard, CallChoices, FoundLift } from '../../../domain/fms/call_board.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { companyOf, rowScope } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import { inUnit } from '../../engine/records/unit_of_work.ts';
import type { LiftsWithin } from '../../modules/fms_tickets/board_reads.ts';
import { boardSites, callChoices, foundLifts } from '../../modules/fms_tickets/board_reads.ts';
import { techniciansOf } from '../../modules/fms_tickets/suggestions.ts';

export interface LiftCallRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  engine: Engine;
}

const TICKET = 'fms_ticket';
const OPEN = ['new', 'assigned', 'accepted', 'travelling', 'attending', 'paused'];
/** The maximum number of tickets on a board. */
const MAX_TICKETS = 500;
const MAX_FOUND = 20;
const LEAST_LETTERS = 2;
const COLUMNS =
  'ticket_no,status,priority,lift_id,building_id,customer_id,category_id,subcategory_id,technician_id,team_id,branch_id,reported_at,planned_on,trapped,all_out_at,trapped_count,injured_count,rescue_step,alarm_stopped_at,desk_calls,offered_to_all,source,confirmed_at,cover,description,respond_by,restore_by,respond_clock,restore_clock,responded_at,offer_ends_at,ticket_type';

interface FindLift {
  q?: string;
  lift?: string;
  customer_id?: string;
  building_id?: string;
  branch_id?: string;
  code?: string;
}

/** The filters of a lift search. @throws AppError 400 with the invalid id */
function withinOf({ customer_id: customer, building_id: building, branch_id: branch, code }: FindLift): LiftsWithin {
  const id = (field: string, text: string | undefined) => {
    if (text === undefined || text === '') return null;
    if (!/^\d{1,15}$/.test(text)) throw new AppError(400, 'bad_request', 'This is not the id of a record.', { field });
    return Number(text);
  };
  return {
    customer: id('customer_id', customer),
    building: id('building_id', building),
    branch: id('branch_id', branch),
    code: code === undefined || code.trim() === '' ? null : code.trim(),
  };
}

/** The branches whose calls the person handles, at most their own unless they see those of the company; null = all. */
function branchesOf(session: LiveSession, ticket: Screen): number[] | null {
  const scope = session.rights.isAdmin ? 'company' : session.rights.dataScope(ticket);
  return scope === 'company' || scope === 'all_companies' ? null : session.branchIds;
}

/** The dispatcher's board, and the look-ups during a telephone call. */
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
          await boardSites(
            unit,
            tickets.map(({ id }) => id),
          ),
        ] as const;
      });
      return { data: { tickets, technicians, sites: [...sites], more: tickets.length === MAX_TICKETS } };
    });

    /** The possible kinds of a call: ticket types, categories and subcategories with the text for the caller. */
    app.get(`${prefix}/fms/call_choices`, async (request): Promise<{ data: CallChoices }> => {
      const session = request.session as LiveSession;
      const { ticket } = await ready(session);
      authorize(session, ticket, 'add_screen');
      return { data: await inUnit(session, (work) => callChoices(engine.unit(work))) };
    });

    /** Lifts by number, QR label, building, or the phone of somebody at the customer, within a customer, building or branch. */
    app.get<{ Querystring: FindLift }>(`${prefix}/fms/find_lift`, async (request): Promise<{ data: FoundLift[] }> => {
      const session = request.session as LiveSession;
      const { all, ticket } = await ready(session);
      authorize(session, ticket, 'add_screen');
      const { q, lift } = request.query;
      const text = (lift ?? q ?? '').trim();
      const within = withinOf(request.query);
      const isNarrowed = within.customer !== null || within.building !== null || within.code !== null;
      if (text.length < LEAST_LETTERS && !/^\d+$/.test(text) && !(text === '' && lift === undefined && isNarrowed))
        throw new AppError(400, 'bad_request', `Enter at least ${LEAST_LETTERS} letters.`, { field: 'q' });
      await ensure(
        session.tenant,
        ['contract', 'contract_line', 'billing'].filter((type) => all.has(type)),
      );
      const lifts = all.get('lift')!;
      // Desks that have no list of lifts find those of their branches.
      const hasList = session.rights.refuse(lifts, 'landing') === null;
      const rows = await inUnit(session, (work) =>
        foundLifts(engine.unit(work), {
          text,
          isScanned: lift !== undefined,
          within,
          branches: branchesOf(session, ticket),
          hasBills: all.has('billing'),
          seen: (alias, values) => (hasList ? rowScope(session, lifts, all, alias, values) : []),
          max: MAX_FOUND,
        }),
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
    });
  }
}
