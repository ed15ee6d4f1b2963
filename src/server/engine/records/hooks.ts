import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { ServerDecision, Services } from '../modules.ts';

/** What a record type may do beyond its descriptor. */
export interface RecordHooks {
  /** Values that follow from the others, set before the checks of every create and update; what it answers is laid over the record. */
  fill?(
    session: Session,
    record: Record<string, unknown>,
    stored: WireRecord | null,
    services: Services,
    screens: ReadonlyMap<string, Screen>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /**
   * Checks that the descriptor cannot say. Runs inside every create and update, beside the others;
   * the findings are reported together with theirs. `screens`: those of the product, as the client has them.
   */
  check?(
    session: Session,
    record: Record<string, unknown>,
    stored: WireRecord | null,
    screens: ReadonlyMap<string, Screen>,
    services: Services,
  ): FieldError[] | Promise<FieldError[]>;
  /** What follows from a record that was stored: in the transaction that stored it, by the session it is given. */
  saved?(session: Session, record: WireRecord, services: Services): void | Promise<void>;
  /** What follows from an import is seen to for all of it at once: `saved` is not called for its records. */
  importsApart?: true;
  /** Of settings: fields that this server's own configuration decides or limits. */
  decided?(services: Services): Record<string, ServerDecision>;
  /** Whether a record may be taken out of use, back into it, or deleted; a text says why not. */
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
  /** Whether something follows from the records of a type when they are stored. */
  follows?(screen: Screen): boolean;
  /** The same of records that an import stores. */
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

/** Loads `<dir>/<folder>/<type>.ts`, each by its default export. `services`: what the hooks use beside records. */
export async function loadHooks(dir: string, services: Services): Promise<Hooks> {
  const byType = new Map<string, RecordHooks>();
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
    check: async (session, screen, record, stored, screens) =>
      (await byType.get(`${screen.folder}/${screen.name}`)?.check?.(session, record, stored, screens, services)) ?? [],
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
      return own?.check !== undefined || own?.fill !== undefined;
    },
    decided: (screen) => byType.get(`${screen.folder}/${screen.name}`)?.decided?.(services) ?? {},
    leave: async (session, screen, stored, how, screens) =>
      (await byType.get(`${screen.folder}/${screen.name}`)?.leave?.(session, stored, how, screens)) ?? null,
  };
}
