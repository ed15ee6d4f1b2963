import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatDate } from '../../../descriptor/format.ts';
import type { Direction } from '../../../domain/organisation/chart_layout.ts';
import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import { listedPerson } from '../../../domain/organisation/chart_tree.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { CHART_TYPES, VACANCIES, chartPeople, seesScores } from '../../access/people/chart_people.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { dayOf, zonesOf } from '../../services/clock/zones.ts';
import type { Printing } from '../../services/print/printing.ts';

interface PrintBody {
  /** The people whose reports are shown; none = everybody. */
  open?: number[];
  direction?: Direction;
  /** New managers of a plan, as pairs. */
  moves?: [number, number | null][];
  /** A list of the reader's own, in place of the company's people. */
  people?: Pick<ChartPerson, 'id' | 'parent' | 'name' | 'empno' | 'designation'>[];
}

const ids = { type: 'integer' } as const;
const text = { type: 'string', maxLength: 200 } as const;
const MAX_PEOPLE = 20_000;
const PRINT = {
  type: 'object',
  properties: {
    open: { type: 'array', maxItems: MAX_PEOPLE, items: ids },
    direction: { enum: ['down', 'up', 'right', 'left'] },
    moves: {
      type: 'array',
      maxItems: 500,
      items: { type: 'array', minItems: 2, maxItems: 2, items: { type: ['integer', 'null'] } },
    },
    people: {
      type: 'array',
      maxItems: MAX_PEOPLE,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'parent', 'name', 'empno', 'designation'],
        properties: {
          id: ids,
          parent: { type: ['integer', 'null'] },
          name: text,
          empno: text,
          designation: { type: ['string', 'null'], maxLength: 200 },
        },
      },
    },
  },
} as const;

/** The whole chart of the company at once: who reports to whom, empty posts, and scores as far as the reader may see them. */
export async function orgChartRoutes(
  app: FastifyInstance,
  { store, tenantScreens, printing }: { store: ScreenStore; tenantScreens: TenantScreens; printing: Printing },
): Promise<void> {
  /** The session of a user with access to the chart, and its screens. @throws AppError 403, 404 */
  async function reader({ session: given }: FastifyRequest) {
    const session = given as LiveSession;
    const own = tenantScreens.of(session);
    const people = own.get(PEOPLE);
    if (!people || session.tenant.schema === 'public' || session.entityId === null) throw notFound();
    const { tenant, rights } = session;
    // Every member reads the chart; others need the right to it.
    const posts = own.get(VACANCIES);
    const refused = posts ? rights.refuse(posts, 'landing') : null;
    if (session.employeeId === null && (!posts || refused))
      throw new AppError(403, 'forbidden', 'Only members of the company see its organisation chart.', {
        reason: refused?.reason ?? 'product',
      });
    await ensureTables(tenant, store.screens(), CHART_TYPES);
    return { session, own, people, company: session.entityId };
  }

  async function chart(request: FastifyRequest): Promise<object> {
    const { session, own, people, company } = await reader(request);
    const { rights } = session;
    const isManager =
      rights.refuse(people, 'edit_screen') === null &&
      rights.refuseAction(people.access.action) === null &&
      rights.refuseAction('MANAGE_ORG') === null;
    return {
      data: {
        people: await chartPeople(session, company, own),
        me: session.employeeId,
        may_move: isManager,
        sees_scores: seesScores(session, own),
        opens_people: rights.refuse(people, 'view_screen') === null,
      },
    };
  }

  for (const prefix of ['/tapi', '/api']) {
    const at = `${prefix}/organisation_chart`;
    app.get(at, chart);
    app.post<{ Body: PrintBody }>(`${at}/print`, { schema: { body: PRINT } }, async (request, reply) => {
      const { session, own, company } = await reader(request);
      const { open, direction = 'down', moves = [], people } = request.body;
      const day = dayOf(await zonesOf(session.tenant), { branchId: null, entityId: company });
      const bytes = await printing.chart({
        people: people?.map((one) => listedPerson(one)) ?? (await chartPeople(session, company, own)),
        moves: new Map(moves.flatMap(([id, to]) => (id === null ? [] : [[id, to] as const]))),
        open: open ? new Set(open) : null,
        direction,
        title: `Organisation chart, ${formatDate(day)}`,
        by: session.userName,
        at: new Date().toISOString(),
      });
      return reply
        .header('content-disposition', 'attachment; filename="organisation_chart.pdf"')
        .header('cache-control', 'private, no-store')
        .type('application/pdf')
        .send(bytes);
    });
  }
}
