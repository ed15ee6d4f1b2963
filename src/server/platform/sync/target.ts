import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import { planCollection, writeCollection } from './collection_target.ts';
import type { Mapped, SyncJob } from './job.ts';
import { SHOWN, mayReceive, writingSession } from './job.ts';
import { listDifferences, planList, writeList } from './list_target.ts';
import { mapToCollection, mapToList } from './mapping.ts';
import type { RawRow } from './source_kind.ts';

export interface TargetDeps {
  engine: Engine;
  /** The screens of the session's client; reloaded if possibly outdated. */
  screensOf: (session: Session) => Promise<Map<string, Screen>>;
  /** Creates the tables of types on first use. */
  ensure: (tenant: Tenant, types: string[]) => Promise<unknown>;
}

/** The target of a job: how rows are mapped, compared and written. */
export async function targetOf({ engine, screensOf, ensure }: TargetDeps, tenant: Tenant, job: SyncJob, by: number) {
  const companies = (
    await tenant.db.query<{ id: number }>(`select id from ${tableName(tenant.schema, 'entity')} order by id`)
  ).map(({ id }) => id);
  const session = writingSession(tenant, by, job.company_id, companies);
  if (job.target === 'collection') {
    return {
      map: (rows: RawRow[]): Promise<Mapped[]> => Promise.resolve(mapToCollection(job, rows)),
      async plan(asked: SyncJob, mapped: Mapped[]) {
        const plan = await planCollection(tenant, asked, mapped);
        return {
          rejected: () => plan.rejected,
          missing: plan.missing.length,
          active: plan.active,
          write: (tx: Queryable, _what: string, between: () => Promise<void>) =>
            writeCollection(tx, tenant, asked, plan, SHOWN, between),
        };
      },
    };
  }
  const screens = await screensOf(session);
  const screen = screens.get(job.target_type ?? '');
  if (!screen || !mayReceive(screen))
    throw new AppError(422, 'invalid', `There is no list "${job.target_type ?? ''}" to import into.`);
  const unknown = job.mapping.find(({ target_field: name }) => !screen.fields.some((field) => field.name === name));
  if (unknown) throw new AppError(422, 'invalid', `${screen.plural} have no field "${unknown.target_field}".`);
  await ensure(tenant, neededTypes(screens, screen));
  return {
    map: (rows: RawRow[]) => mapToList(job, session, screen, screens, rows),
    async plan(asked: SyncJob, mapped: Mapped[]) {
      const plan = await planList(engine, session, asked, screen, mapped);
      return {
        rejected: () => plan.rejected,
        missing: plan.missing.length,
        active: plan.active,
        async write(tx: Queryable, what: string, between: () => Promise<void>) {
          const differences = listDifferences(plan, SHOWN);
          // A preview writes nothing: a long list does not need to be locked for it.
          if (what !== '') await writeList(tx, engine, session, screen, plan, what, between);
          return {
            counts: {
              inserted: plan.inserts.length,
              updated: plan.updates.length,
              unchanged: plan.unchanged,
              deactivated: plan.missing.length,
            },
            differences,
          };
        },
      };
    },
  };
}
