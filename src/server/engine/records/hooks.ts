import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Module, RecordCheck, ServerDecision, Services } from '../modules.ts';
import { holdsNames, nameErrors } from './name_errors.ts';

/** What a record type can do beyond its descriptor. */
export interface RecordHooks {
  /** Computed values, set before the checks of every create and update; the result is merged into the record. */
  fill?(
    session: Session,
    record: Record<string, unknown>,
    stored: WireRecord | null,
    services: Services,
    screens: ReadonlyMap<string, Screen>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  check?: RecordCheck;
  /** Runs after a record was stored: in the same transaction, with the given session. */
  saved?(session: Session, record: WireRecord, services: Services): void | Promise<void>;
  /** Imports handle this for all records at once: `saved` is not called for them. */
  importsApart?: true;
  /** For settings: fields that the configuration of this server decides or limits. */
  decided?(services: Services): Record<string, ServerDecision>;
  /** Whether a record may be deactivated, reactivated or deleted; a text gives the reason against it. */
  leave?(
    session: Session,
    stored: WireRecord,
    how: 'deactivate' | 'activate' | 'delete',
    screens: ReadonlyMap<string, Screen>,
  ): string | null | Promise<string | null>;
}

/**
 * Declares the hooks of one record type, in `src/server/modules/<folder>/<type>.ts`:
 *
 *     export default defineHooks({
 *       check: (_session, record) => (record.share === '100' ? [] : [{ field: 'share', message: 'Shares total 100.' }]),
 *     });
 */
export function defineHooks(hooks: RecordHooks): RecordHooks {
  return hooks;
}

/** What the hooks of one batch of records have read or given. */
const batches = new WeakMap<Session, Map<string, unknown>>();

/** The session of a batch of records, whose hooks share what they keep by `inBatch`. */
export function batchSession(session: Session): Session {
  const own = { ...session };
  batches.set(own, new Map());
  return own;
}

/** A value that the hooks of a batch share, by its key; a record outside of a batch has its own. */
export function inBatch<Shared>(session: Session, key: string, first: () => Shared): Shared {
  const shared = batches.get(session);
  if (!shared) return first();
  if (!shared.has(key)) shared.set(key, first());
  return shared.get(key) as Shared;
}

/** The hooks of all types, by type. */
export interface Hooks {
  fill?(
    session: Session,
    screen: Screen,
    record: Record<string, unknown>,
    stored: WireRecord | null,
    screens: ReadonlyMap<string, Screen>,
  ): Promise<Record<string, unknown>>;
  check(
    session: Session,
    screen: Screen,
    record: Record<string, unknown>,
    stored: WireRecord | null,
    screens: ReadonlyMap<string, Screen>,
  ): Promise<FieldError[]>;
  saved(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  leave(
    session: Session,
    screen: Screen,
    stored: WireRecord,
    how: 'deactivate' | 'activate' | 'delete',
    screens: ReadonlyMap<string, Screen>,
  ): Promise<string | null>;
  /** Whether a type has a handler for stored records. */
  follows?(screen: Screen): boolean;
  /** The same for records stored by an import. */
  followsImports?(screen: Screen): boolean;
  /** Whether a type fills in its records itself. */
  fills?(screen: Screen): boolean;
  /** Whether a type fills or checks its records itself. */
  checks?(screen: Screen): boolean;
  decided(screen: Screen): Record<string, ServerDecision>;
}

export const noHooks: Hooks = {
  check: () => Promise.resolve([]),
  leave: () => Promise.resolve(null),
  decided: () => ({}),
  saved: () => Promise.resolve(),
};

/**
 * Loads `<dir>/<folder>/<type>.ts`, each from its default export. `services`: used by the hooks besides records.
 * `modules`: their checks of types that belong to other modules run with those of the type.
 */
export async function loadHooks(dir: string, services: Services, modules: readonly Module[] = []): Promise<Hooks> {
  const byType = new Map<string, RecordHooks>();
  const ofOthers = new Map<string, RecordCheck[]>();
  for (const { checks = {} } of modules)
    for (const [type, check] of Object.entries(checks)) ofOthers.set(type, [...(ofOthers.get(type) ?? []), check]);
  if (existsSync(dir))
    for (const folder of readdirSync(dir, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      for (const file of readdirSync(join(dir, folder.name))) {
        if (file === 'manifest.ts') continue;
        if (!file.endsWith('.ts')) continue;
        const module = (await import(join(dir, folder.name, file))) as { default?: RecordHooks };
        if (module.default) byType.set(`${folder.name}/${file.slice(0, -'.ts'.length)}`, module.default);
      }
    }
  return {
    fill: async (session, screen, record, stored, screens) =>
      (await byType.get(`${screen.folder}/${screen.name}`)?.fill?.(session, record, stored, services, screens)) ?? {},
    check: async (session, screen, record, stored, screens) => {
      const own = byType.get(`${screen.folder}/${screen.name}`)?.check;
      const checks = [...(own ? [own] : []), ...(ofOthers.get(screen.name) ?? [])];
      const found = await Promise.all(checks.map(async (check) => check(session, record, stored, screens, services)));
      return [...nameErrors(screen, screens, record), ...found.flat()];
    },
    saved: async (session, screen, record) => {
      await byType.get(`${screen.folder}/${screen.name}`)?.saved?.(session, record, services);
    },
    follows: (screen) => byType.get(`${screen.folder}/${screen.name}`)?.saved !== undefined,
    followsImports: (screen) => {
      const own = byType.get(`${screen.folder}/${screen.name}`);
      return own?.saved !== undefined && own.importsApart !== true;
    },
    fills: (screen) => byType.get(`${screen.folder}/${screen.name}`)?.fill !== undefined,
    checks: (screen) => {
      const own = byType.get(`${screen.folder}/${screen.name}`);
      return (
        own?.check !== undefined || own?.fill !== undefined || ofOthers.has(screen.name) || holdsNames(screen.fields)
      );
    },
    decided: (screen) => byType.get(`${screen.folder}/${screen.name}`)?.decided?.(services) ?? {},
    leave: async (session, screen, stored, how, screens) =>
      (await byType.get(`${screen.folder}/${screen.name}`)?.leave?.(session, stored, how, screens)) ?? null,
  };
}
