import { zoneOf } from '../../descriptor/place.ts';
import { placeOf } from '../client_day.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen, WireRecord } from '../../descriptor/types.ts';
import type { Session, Tenant } from '../context.ts';
import { childTable, quoted } from '../db/names.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import type { Notifications } from '../notifications/notify.ts';
import type { Engine } from '../records/engine.ts';
import { openedFields } from '../records/opened_fields.ts';
import { authorize } from '../sessions/authorize.ts';

export interface InspectionDeps {
  engine: Engine;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  notifications: Notifications;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

type Row = Record<string, unknown>;

const TYPE = 'tis_inspection';
const TYPES = [TYPE, 'tis_survey_type', 'tis_survey_group', 'tis_survey_field', 'tis_survey_value'];
/** Fields that follow from the state, and the state. */
const OPENED = [
  'status',
  'type_version',
  'started_at',
  'submitted_at',
  'submitted_by_id',
  'returned_because',
  'reviewed_by_id',
  'issued_on',
  'valid_to',
];

interface Step {
  from: string;
  page: PageType;
  /** What the inspection becomes; refuses when it may not. */
  set(session: Session, record: WireRecord, body: Row): Promise<Row>;
}

/** The questions of a survey type in walking order, as often as each is asked. */
async function questionsOf({ tenant }: Session, record: WireRecord): Promise<Row[]> {
  const s = quoted(tenant.schema);
  const times: Record<string, number> = {
    landing: Number(record.landings ?? 1),
    rope: Number(record.ropes ?? 1),
    car_door: Number(record.car_doors ?? 1),
  };
  const rows = await tenant.db.query<{ id: number; value_group: string | null; per: string | null; part: number }>(
    `select f.id, case when f.input in ('choice', 'multi') then f.value_group end as value_group, g.repeat_per as per, g.id as part
     from ${childTable(tenant.schema, 'tis_survey_type', 'groups')} g join ${s}.tis_survey_field f on f.tis_survey_group_id = g.tis_survey_group_id and f.active
     where g.parent_id = $1 order by g.seq, g.id, f.seq, f.id`,
    [record.survey_type_id],
  );
  return [...Map.groupBy(rows, ({ part }) => part).values()].flatMap((part) => {
    const count = times[part[0]!.per ?? ''] ?? null;
    return Array.from({ length: count ?? 1 }, (_, at) =>
      part.map(({ id, value_group }) => ({
        tis_survey_field_id: id,
        repeat_no: count === null ? null : at + 1,
        value_group,
      })),
    ).flat();
  });
}

/** What is missing before an inspection can be reviewed. */
async function missing({ tenant }: Session, record: WireRecord) {
  const s = quoted(tenant.schema);
  const rows = await tenant.db.query<{ at: number; question: string; unanswered: boolean; no_photo: boolean }>(
    `select a."position" as at, f.question,
       coalesce(f.mandatory, true) and case when f.input in ('choice', 'multi') then a.answer_id is null when f.input in ('photo', 'signature') then a.photo is null else coalesce(a.answer_text, '') = '' end as unanswered,
       a.photo is null and (f.photo_when = 'always' and (f.mandatory is distinct from false or a.answer_id is not null) or f.photo_when = 'on_fault' and v.severity in ('major', 'critical')) as no_photo
     from ${childTable(tenant.schema, TYPE, 'answers')} a join ${s}.tis_survey_field f on f.id = a.tis_survey_field_id left join ${s}.tis_survey_value v on v.id = a.answer_id
     where a.parent_id = $1 order by a."position"`,
    [record.id],
  );
  return rows.flatMap(({ at, question, unanswered, no_photo: noPhoto }) => {
    if (unanswered) return [{ field: `answers.${at}.answer_id`, message: `"${question}" is not answered yet.` }];
    return noPhoto ? [{ field: `answers.${at}.photo`, message: `"${question}" needs a photo.` }] : [];
  });
}

async function today(session: Session, months: number | null): Promise<{ on: string; until: string | null }> {
  const [row] = await session.tenant.db.query<{ on: string; until: string | null }>(
    `select d::text as on, (d + make_interval(months => $2))::date::text as until from (select (now() at time zone $1)::date as d) x`,
    [zoneOf(session, placeOf(session).zones), months],
  );
  return row!;
}

const STEPS: Record<string, Step> = {
  start: {
    from: 'planned',
    page: 'edit_screen',
    async set(session, record) {
      const [type] = await session.tenant.db.query<{ version_no: number | null; status: string }>(
        `select version_no, status from ${quoted(session.tenant.schema)}.tis_survey_type where id = $1`,
        [record.survey_type_id],
      );
      if (type?.status !== 'published')
        throw new AppError(422, 'invalid', 'This survey type is not published. Choose another one.', {
          field: 'survey_type_id',
        });
      const answers = await questionsOf(session, record);
      if (answers.length === 0)
        throw new AppError(422, 'invalid', 'This survey type has no questions. Add some to its groups first.', {
          field: 'survey_type_id',
        });
      return { status: 'in_progress', type_version: type.version_no, started_at: new Date().toISOString(), answers };
    },
  },
  submit: {
    from: 'in_progress',
    page: 'edit_screen',
    async set(session, record) {
      const found = await missing(session, record);
      if (found.length > 0)
        throw invalid(
          found.length > 1
            ? [
                { field: found[0]!.field, message: `${found[0]!.message} ${found.length - 1} more are missing.` },
                ...found.slice(1),
              ]
            : found,
        );
      return {
        status: 'submitted',
        submitted_at: new Date().toISOString(),
        submitted_by_id: session.userId,
        returned_because: null,
      };
    },
  },
  send_back: {
    from: 'submitted',
    page: 'approval_screen',
    set(_session, _record, { reason }) {
      const text = typeof reason === 'string' ? reason.trim() : '';
      if (text === '' || text.length > 250)
        throw new AppError(422, 'invalid', 'Say in at most 250 characters what must be corrected.', {
          field: 'reason',
        });
      return Promise.resolve({
        status: 'in_progress',
        returned_because: text,
        submitted_at: null,
        submitted_by_id: null,
      });
    },
  },
  review: {
    from: 'submitted',
    page: 'approval_screen',
    set: (session) => Promise.resolve({ status: 'reviewed', reviewed_by_id: session.userId }),
  },
  issue: {
    from: 'reviewed',
    page: 'approval_screen',
    async set(session, record) {
      const [type] = await session.tenant.db.query<{ months: number | null }>(
        `select valid_months as months from ${quoted(session.tenant.schema)}.tis_survey_type where id = $1`,
        [record.survey_type_id],
      );
      const { on, until } = await today(session, type?.months ?? null);
      return { status: 'issued', issued_on: on, valid_to: until };
    },
  },
};

/** The way of an inspection: planned → in progress → submitted → reviewed → issued, and back from submitted (fms.md §4). */
export async function inspectionRoutes(
  app: FastifyInstance,
  { engine, screens, notifications, ensure }: InspectionDeps,
): Promise<void> {
  async function take(request: FastifyRequest, { from, page, set }: Step): Promise<WireRecord> {
    const { session } = request;
    const screen = screens(session).get(TYPE);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page, screen.access.action);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    await ensure(session.tenant, TYPES);
    const record = await engine.read(session, screen, Number(id));
    if (!record.active || record.status !== from)
      throw new AppError(
        409,
        'bad_state',
        `This can be done while the inspection is ${from.replace('_', ' ')}. It is ${record.active ? String(record.status).replace('_', ' ') : 'inactive'} now.`,
      );
    const body = (request.body ?? {}) as Row;
    const version = Number.isInteger(body.version) ? body.version : record.version;
    const values = await set(session, record, body);
    await engine.update(session, openedFields(screen, OPENED), record.id, { version, ...values }, 'action');
    const now = await engine.read(session, screen, record.id);
    if (now.status === 'submitted' && now.unsafe === true) await alarm(session, now);
    return now;
  }

  /** Whoever may approve inspections here learns at once of a lift that is not safe. */
  async function alarm({ tenant, userId, entityId }: Session, record: WireRecord): Promise<void> {
    const s = quoted(tenant.schema);
    const people = await tenant.db.query<{ id: number }>(
      `select u.id from ${s}.users u where u.active and u.status = 'active' and u.id <> $1 and (u.is_admin or exists (
         select 1 from ${s}.users__companies c join ${s}.screen_rights r on r.role_id = any(c.role_ids) where c.parent_id = u.id and c.entity_id = $2 and r.screen_code = 'SCN_FMS_TIS' and r.approval_screen))`,
      [userId, entityId],
    );
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'tis.unsafe',
        to: people.map(({ id }) => id),
        entityId,
        link: `/tis_inspection_view/${record.id}`,
        record: { type: TYPE, id: record.id },
        values: {
          lift: String(record.lift_no),
          building: String(record.building),
          customer: String(record.customer_name),
          number: String(record.inspection_no),
          surveyor: String(record.surveyor_id__label ?? ''),
        },
      }),
    );
  }

  for (const prefix of ['/tapi', '/api'])
    for (const [name, step] of Object.entries(STEPS))
      app.post(`${prefix}/${TYPE}/:id/${name}`, async (request) => ({ data: await take(request, step) }));
}
