import type { FieldError, Screen } from '../../../descriptor/types.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { AppError, invalid } from '../../db/errors.ts';
import type { ServerDecision } from '../modules.ts';
import { fileErrors } from './named_files.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { readSingle } from './single.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { findErrors, prepare, storable } from './validate_record.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** The current company's own values; version 0 = none yet. */
export interface CompanySettings {
  entity_id: number;
  name: string;
  version: number;
  values: Row;
}

/** The origin of the values of a settings screen. */
export interface SettingSources {
  /** Fields that the configuration of this server decides or limits. */
  server: Record<string, ServerDecision>;
  /** Null: no company is selected, or companies have no own values here. */
  company: CompanySettings | null;
}

const ownFields = (screen: Screen) => screen.fields.filter((field) => field.override === 'company');

async function readCompany(session: Session, screen: Screen): Promise<CompanySettings> {
  const s = quoted(session.tenant.schema);
  const [row] = await session.tenant.db.query<CompanySettings>(
    preparedStatement(
      `select e.id as entity_id, e.name, coalesce(o.version, 0) as version, coalesce(o.values, '{}') as values
       from ${s}.entity e left join ${s}.setting_override o on o.entity_id = e.id and o.record_type = $2 where e.id = $1`,
      [companyOf(session), screen.name],
    ),
  );
  if (!row) throw new AppError(403, 'entity_forbidden', 'You are not mapped to this company.');
  const known = new Set(ownFields(screen).map(({ name }) => name));
  return { ...row, values: Object.fromEntries(Object.entries(row.values).filter(([name]) => known.has(name))) };
}

export async function settingSources({
  session,
  screen,
  hooks,
}: Pick<WriteContext, 'session' | 'screen' | 'hooks'>): Promise<SettingSources> {
  const settles = session.entityId !== null && ownFields(screen).length > 0;
  return { server: hooks.decided(screen), company: settles ? await readCompany(session, screen) : null };
}

function staleSettings(): AppError {
  return new AppError(
    409,
    'stale_version',
    'Somebody else changed the settings of this company first. Reload the page.',
  );
}

/**
 * Saves what the company one works in wants otherwise: `values` has all of it, so that a field left out has the value
 * that all companies share. @throws AppError 404, 409, 422
 */
export async function saveCompanySettings(
  { session, screen, screens, hooks, mayOpenFile, audit }: WriteContext,
  input: Row,
): Promise<CompanySettings> {
  const { version, values: given } = input;
  if (!Number.isInteger(version))
    throw new AppError(400, 'bad_request', 'Send the version you are changing.', { field: 'version' });
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new AppError(400, 'bad_request', 'values is a JSON object.', { field: 'values' });
  const before = await readCompany(session, screen);
  if (version !== before.version) throw staleSettings();
  const shared = await readSingle(session, screen, screens);
  const known = new Map(ownFields(screen).map((field) => [field.name, field]));
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(given)) {
    const field = known.get(name);
    if (!field)
      errors.push({
        field: name,
        message: `${screen.fields.find((one) => one.name === name)?.title ?? name} is the same for all companies.`,
      });
    else if (value === null)
      errors.push({
        field: name,
        message: `${field.title} is required. Leave it out to have the value of all companies.`,
      });
  }
  if (errors.length > 0) throw invalid(errors);
  const { record, errors: unreadable } = prepare(screen, given as Row, shared);
  const found = [
    ...unreadable,
    ...findErrors(screen, record, shared),
    ...(await hooks.check(session, screen, storable(screen, record), shared, screens)),
    ...(await fileErrors(session, screen, storable(screen, record), { ...shared, ...before.values }, mayOpenFile)),
  ].filter(({ field }) => field in given);
  if (found.length > 0) throw invalid(found);
  const values = Object.fromEntries(Object.keys(given).map((name) => [name, record[name]]));
  const { schema } = session.tenant;
  const names = new Set([...Object.keys(before.values), ...Object.keys(values)]);
  const change = Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(before.values[name]) !== JSON.stringify(values[name]))
      .map((name) => [name, [before.values[name] ?? null, values[name] ?? null]]),
  );
  if (Object.keys(change).length === 0 && version === before.version) return before;
  const saved = await session.tenant.db.transaction(async (tx) => {
    const [row] = await tx.query<{ version: number }>(
      preparedStatement(
        `with r as (insert into ${quoted(schema)}.setting_override as o (record_type, entity_id, values, updated_by) select $1, $2, $3::jsonb, $4 where $5::integer = 0 or exists (select 1 from ${quoted(schema)}.setting_override x where x.record_type = $1 and x.entity_id = $2)
         on conflict (record_type, entity_id) do update set values = excluded.values, version = o.version + 1, updated_at = now(), updated_by = excluded.updated_by where o.version = $5 returning version),
       h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change) select $1, $6, $2, r.version, 'U', $4, 'company', $7::jsonb from r)
       select version from r`,
        [
          screen.name,
          before.entity_id,
          JSON.stringify(values),
          session.userId,
          version,
          shared.id,
          JSON.stringify(change),
        ],
      ),
    );
    if (row && audit?.keeps(screen, 'U') === true)
      await audit.store(tx, session, screen, { id: 0, op: 'U', change: values });
    if (row) await queueWebhooks(tx, schema, [[screen.name, shared.id]]);
    return row;
  });
  if (!saved) throw staleSettings();
  await hooks.saved(session, screen, shared);
  return { ...before, version: saved.version, values };
}
