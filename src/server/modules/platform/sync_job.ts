import { Cron } from 'croner';
import { ExpressionSyntaxError, compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { importFields } from '../../engine/excel/sheet_columns.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import type { Mapping } from '../../platform/sync/job.ts';
import { mayReceive } from '../../platform/sync/job.ts';
import { isDialect, notOneSelect } from '../../platform/sync/one_select.ts';
import { nextRun } from '../../platform/sync/due_jobs.ts';

/** Import jobs: one that could not run, or would exceed its author's rights, is refused when it is saved. */
export default defineHooks({
  /** The kind decides the fields of the form; it comes from the source, whatever the caller sent. */
  async fill({ tenant }, record) {
    const [source] = await tenant.db.query<{ kind: string }>(
      `select kind from ${tableName(tenant.schema, 'sync_source')} where id = $1`,
      [record.source_id ?? null],
    );
    return { source_kind: source?.kind ?? null };
  },
  check(session, record, _stored, screens) {
    const errors: FieldError[] = [];
    const mapping = (record.mapping as Mapping[] | null) ?? [];
    const kind = String(record.source_kind ?? '');
    if (isDialect(kind)) {
      const wrong = notOneSelect(String(record.query ?? ''), kind);
      if (wrong) errors.push({ field: 'query', message: wrong });
    }
    if (record.scheduled === true && typeof record.schedule === 'string') {
      const wrong = notASchedule(record.schedule);
      if (wrong) errors.push({ field: 'schedule', message: wrong });
    }
    mapping.forEach(({ transform }, at) => {
      const wrong = transform ? notAnExpression(transform) : null;
      if (wrong) errors.push({ field: `mapping.${at}.transform`, message: wrong });
    });
    const mapped = new Set(mapping.map(({ target_field: name }) => name));
    const unmapped = ((record.natural_key as string[] | null) ?? []).find((name) => !mapped.has(name));
    if (unmapped !== undefined) errors.push({ field: 'natural_key', message: `No column is mapped to "${unmapped}".` });
    if (record.target === 'list' && typeof record.target_type === 'string')
      errors.push(...listErrors(session, record, mapping, screens));
    return errors;
  },
  async saved({ tenant }, { id, scheduled, schedule }) {
    // Saving confirms the current columns.
    await tenant.db.query(
      `update ${tableName(tenant.schema, 'sync_job')} set source_columns = null, next_at = $2 where id = $1`,
      [id, scheduled === true && typeof schedule === 'string' ? nextRun(schedule, tenant.timezone, new Date()) : null],
    );
  },
});

function listErrors(
  session: Session,
  record: Record<string, unknown>,
  mapping: Mapping[],
  screens: ReadonlyMap<string, Screen>,
): FieldError[] {
  const screen = screens.get(String(record.target_type));
  if (!screen)
    return [
      {
        field: 'target_type',
        message: `There is no list "${String(record.target_type)}". Its name is in its address.`,
      },
    ];
  if (!mayReceive(screen))
    return [{ field: 'target_type', message: `${screen.plural} cannot be filled by import jobs.` }];
  const { rights } = session;
  if (
    rights.refuse(screen, 'add_screen') ??
    rights.refuse(screen, 'edit_screen') ??
    rights.refuseAction(screen.access.action) ??
    rights.refuseAction('IMPORT_DATA')
  )
    return [
      {
        field: 'target_type',
        message: `You may not import ${screen.plural} yourself, so a job of yours may not either. Ask your administrator.`,
      },
    ];
  const errors: FieldError[] = [];
  if (screen.scope === 'entity') {
    if (typeof record.company_id !== 'number')
      errors.push({ field: 'company_id', message: `${screen.plural} belong to one company: choose it.` });
    else if (!session.entityIds.includes(record.company_id))
      errors.push({ field: 'company_id', message: 'You are not mapped to this company.' });
  }
  const fields = importFields(screen);
  mapping.forEach(({ target_field: name }, at) => {
    if (!fields.some((field) => field.name === name))
      errors.push({
        field: `mapping.${at}.target_field`,
        message: `${screen.plural} have no field "${name}" that can be imported.`,
      });
  });
  return errors;
}

function notAnExpression(text: string): string | null {
  try {
    compileExpression(text);
    return null;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return `This cannot be read as an expression: ${error.message}.`;
    throw error;
  }
}

/** Why a text is not a valid schedule; null = it is valid. Seconds are not supported. */
export function notASchedule(text: string): string | null {
  const wrong = 'Write five parts: minute, hour, day, month, weekday, e.g. 30 6 * * * for each day at 06:30.';
  if (text.trim().split(/\s+/).length !== 5) return wrong;
  try {
    return new Cron(text, { paused: true }).nextRun() === null ? 'This date never occurs.' : null;
  } catch {
    return wrong;
  }
}
