import type { FieldSetting } from '../../../descriptor/setting_fields.ts';
import { SETTING_FIELDS, targetOf } from '../../../descriptor/setting_fields.ts';
import { bySettings } from '../../../descriptor/by_setting.ts';
import { overlaid, restricted, withPrints, withSeries } from '../../../descriptor/overlay.ts';
import { settingConditions } from '../../../descriptor/setting_condition.ts';
import { blocksOfRows } from '../../../descriptor/own_prints.ts';
import type { BlockRow } from '../../../descriptor/own_prints.ts';
import type { OwnPrint, Print } from '../../../descriptor/prints.ts';
import type { NumberSeriesFields, PrintDesignFields, Screen, SettingCondition } from '../../../descriptor/types.ts';
import type { OwnSeries } from '../../../descriptor/words/number.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted, tableName } from '../../db/names.ts';
import { childTable } from '../../db/tables.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import { FIELD_ACCESSES } from '../../../domain/field_access.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { Bus } from '../../services/live/bus.ts';
import { seesAll } from '../records/visible_sql.ts';
import type { ScreenStore } from './screen_store.ts';

/**
 * The access to a type's fields as text that is safe in an address: its name and one digit per field,
 * `employee~3330331`.
 */
function accessText({ name, fields }: Screen, access: ReadonlyMap<string, FieldAccess>): string {
  return `${name}~${fields
    .map((field) => FIELD_ACCESSES.indexOf(access.get(field.name) ?? 'write'))
    .join('')
    .replace(/3+$/, '')}`;
}

/** Parses {@link accessText}; null = it does not match these screens. */
function readAccessText(
  text: string,
  screens: ReadonlyMap<string, Screen>,
): { screen: Screen; access: Map<string, FieldAccess> } | null {
  const [type, digits] = text.split('~');
  const screen = screens.get(type ?? '');
  if (!screen || digits === undefined) return null;
  return {
    screen,
    access: new Map(
      screen.fields.flatMap(({ name }, at) =>
        digits[at] === undefined ? [] : [[name, FIELD_ACCESSES[Number(digits[at])] ?? 'write']],
      ),
    ),
  };
}

/** The screens of one client, by which masked fields the person may see. */
const MAX_VARIANTS = 50;
/** The key of the screens for the work of the product itself: nothing is hidden from it or required of it. */
const OF_PRODUCT = '*';

/** A setting without what applies to people only: its names and its order remain. */
const named = ({ required: _required, mask: _mask, ...setting }: FieldSetting): FieldSetting => ({
  ...setting,
  shown: true,
});

/**
 * The screens as customised by a client. Clients without settings share those of the product: for them `of` returns the
 * identical map of the store, so that derived objects (statements, checks) are created once for all.
 */
export interface TenantScreens {
  /** Reads the client's settings unless they are known to be current. Every request calls this before `of`. */
  prepare(tenant: Tenant): Promise<void>;
  /** The screens for this person of the client; for a client that is not prepared, the product's. */
  of(session: Session): Map<string, Screen>;
  /** A screen of the product with the client's settings but without field customisation: for the product's own work. */
  bySettings(tenant: Tenant, screen: Screen): Promise<Screen>;
  /** A setting of the client was stored here; other processes are notified by the announcement that commits with it. */
  changed(tenant: Tenant): void;
  /** Whether records of this type are settings. */
  isSetting(type: string): boolean;
  /**
   * The address of a screen's content, as `of` returned it to this person; `ofAddress` finds it again in any process.
   */
  addressOf(session: Session, screen: Screen): string;
  ofAddress(address: string, tenantOf: (subDomain: string) => Promise<Tenant | null>): Promise<Screen | null>;
  /** Called with a client whose screens changed, and the names of these screens. */
  onChange(listener: (schema: string, names: string[]) => void): void;
}

interface Entry {
  at: number;
  reading: Promise<void> | null;
  /** Counts the changes received. */
  generation: number;
  /** Settings of fields, by type; types without settings are absent. */
  settings: Map<string, FieldSetting[]>;
  /** The settings that mask a field. */
  masked: FieldSetting[];
  /** The settings that screens depend on, if not at their default, by `type.field`. */
  chosen: Map<string, unknown>;
  /** The client's own number patterns, by type. */
  series: Map<string, OwnSeries[]>;
  /** The client's print designs in use, by type and name. */
  prints: Map<string, Map<string, OwnPrint[]>>;
  /** The settings as text, to detect changes. */
  text: string;
  /** Derived from these product screens … */
  product: Map<string, Screen> | null;
  /** … for people who see the masked fields given by the key. */
  variants: Map<string, Map<string, Screen>>;
}

export function createTenantScreens({ store, bus }: { store: ScreenStore; bus: Bus }): TenantScreens {
  const entries = new Map<string, Entry>();
  const listeners: ((schema: string, names: string[]) => void)[] = [];
  let known: {
    product: Map<string, Screen>;
    types: Screen[];
    depending: Screen[];
    asked: Map<string, Set<string>>;
    designType: { name: string; fields: PrintDesignFields } | null;
    seriesType: { name: string; fields: NumberSeriesFields } | null;
  } | null = null;

  function ofProduct(): NonNullable<typeof known> {
    const product = store.screens();
    if (known?.product !== product) {
      const screens = [...product.values()];
      const depending = screens.filter((screen) => settingConditions(screen).length > 0);
      const asked = new Map<string, Set<string>>();
      for (const { type, field } of depending.flatMap(settingConditions))
        if (product.has(type)) asked.set(type, (asked.get(type) ?? new Set()).add(field));
      known = {
        product,
        types: screens.filter(({ overlay }) => overlay?.targets.some(({ type }) => product.has(type)) === true),
        depending,
        asked,
        designType: null,
        seriesType: null,
      };
      for (const { name, serves } of screens) {
        if (typeof serves !== 'object') continue;
        if ('prints' in serves) known.designType ??= { name, fields: serves.prints };
        if ('series' in serves) known.seriesType ??= { name, fields: serves.series };
      }
    }
    return known;
  }
  const settingTypes = (): Screen[] => ofProduct().types;

  // The table is created at the first setting; a new column, with the next change.
  const ifThere = (error: unknown): [] => {
    if (['42P01', '42703'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  };

  /** Settings that other screens depend on, if not at their default. */
  async function readChosen({ db, schema }: Tenant): Promise<Map<string, unknown>> {
    const chosen = new Map<string, unknown>();
    for (const [type, fields] of ofProduct().asked) {
      const [row] = await db
        .query<Record<string, unknown>>(
          preparedStatement(
            `select ${[...fields].map(quoted).join(', ')} from ${tableName(schema, type)} where active order by id limit 1`,
            [],
          ),
        )
        .catch(ifThere);
      for (const [field, value] of Object.entries(row ?? {}))
        if (value !== null && value !== defaultOf({ type, field })) chosen.set(`${type}.${field}`, value);
    }
    return chosen;
  }

  /** The client's own number patterns, if the product has a type for them. */
  async function readSeries({ db, schema }: Tenant): Promise<Map<string, OwnSeries[]>> {
    const screen = seriesType();
    if (!screen) return new Map();
    const { type, place, pattern, company } = screen.fields;
    const columns = { type, place, pattern, company };
    const rows = await db
      .query<OwnSeries & { type: string }>(
        preparedStatement(
          `select ${Object.entries(columns)
            .map(([name, column]) => `${quoted(column)} as ${quoted(name)}`)
            .join(', ')} from ${tableName(schema, screen.name)} where active order by id`,
          [],
        ),
      )
      .catch(ifThere);
    return Map.groupBy(
      rows.map((row) => ({ ...row, place: Number(row.place) })),
      (row) => row.type,
    );
  }

  /** The client's print designs in use, if the product has a type for them. */
  async function readPrints({ db, schema }: Tenant): Promise<Map<string, Map<string, OwnPrint[]>>> {
    const screen = designType();
    const found = new Map<string, Map<string, OwnPrint[]>>();
    if (!screen) return found;
    const { document, company, paper, landscape, blocks, used } = screen.fields;
    const rows = await db
      .query<{
        document: string;
        company: number | null;
        paper: Print['paper'];
        landscape: boolean;
        blocks: BlockRow[];
      }>(
        preparedStatement(
          `select d.${quoted(document)} as document, d.${quoted(company)} as company, d.${quoted(paper)} as paper, coalesce(d.${quoted(landscape)}, false) as landscape,
             coalesce((select jsonb_agg(to_jsonb(b) order by b."position") from ${childTable(schema, screen.name, blocks)} b where b.parent_id = d.id), '[]') as blocks
           from ${tableName(schema, screen.name)} d where d.active and d.${quoted(used.field)} = $1 order by d.id desc`,
          [used.is],
        ),
      )
      .catch(ifThere);
    for (const { document: of, blocks: written, ...rest } of rows) {
      const [type = '', name = ''] = of.split('.');
      const byName = found.get(type) ?? new Map<string, OwnPrint[]>();
      found.set(type, byName.set(name, [...(byName.get(name) ?? []), { ...rest, blocks: blocksOfRows(written) }]));
    }
    return found;
  }

  /** The type in which clients store print designs, with its fields. */
  function designType(): { name: string; fields: PrintDesignFields } | null {
    return ofProduct().designType;
  }

  /** The type in which clients store number patterns, with its fields. */
  function seriesType(): { name: string; fields: NumberSeriesFields } | null {
    return ofProduct().seriesType;
  }

  const defaultOf = ({ type, field }: Pick<SettingCondition, 'type' | 'field'>): unknown =>
    store
      .screens()
      .get(type)
      ?.fields.find(({ name }) => name === field)?.default;

  const holds = ({ chosen }: Entry, condition: SettingCondition): boolean =>
    (chosen.get(`${condition.type}.${condition.field}`) ?? defaultOf(condition)) === condition.is;

  async function read(tenant: Tenant, entry: Entry): Promise<void> {
    const { generation } = entry;
    const at = performance.now();
    const settings = new Map<string, FieldSetting[]>();
    for (const screen of settingTypes()) {
      // Whole rows: settings stored before a column was added apply until the next change adds it.
      const rows = await tenant.db
        .query<{ setting: FieldSetting }>(
          preparedStatement(
            `select to_jsonb(t) as setting from ${tableName(tenant.schema, screen.name)} t where active order by id`,
            [],
          ),
        )
        .catch(ifThere);
      for (const row of rows) {
        const { type } = targetOf(screen.overlay!.targets, row.setting);
        const known = Object.entries(row.setting).filter(([name]) => name in SETTING_FIELDS);
        settings.set(type, [...(settings.get(type) ?? []), Object.fromEntries(known)]);
      }
    }
    const chosen = await readChosen(tenant);
    const series = await readSeries(tenant);
    const prints = await readPrints(tenant);
    const designs = [...prints].map(([type, byName]) => [type, [...byName]]);
    const text = JSON.stringify([[...settings], [...chosen], [...series], designs]);
    // It may lack a concurrent change: the next request reads again.
    if (entry.generation === generation) entry.at = at;
    const before = entry.text;
    if (text === before) return;
    const names = new Set([
      ...entry.settings.keys(),
      ...settings.keys(),
      ...entry.series.keys(),
      ...series.keys(),
      ...entry.prints.keys(),
      ...prints.keys(),
      ...(JSON.stringify([...entry.chosen]) === JSON.stringify([...chosen])
        ? []
        : ofProduct().depending.map(({ name }) => name)),
    ]);
    Object.assign(entry, {
      settings,
      chosen,
      series,
      prints,
      text,
      masked: [...settings.values()].flat().filter((setting) => (setting.mask ?? 'none') !== 'none'),
      product: null,
      variants: new Map(),
    });
    if (before !== '') for (const listener of listeners) listener(tenant.schema, [...names]);
  }

  function prepare(tenant: Tenant): Promise<void> {
    const isSet = settingTypes().length > 0 || ofProduct().asked.size > 0 || seriesType() || designType();
    if (tenant.schema === 'public' || !isSet) return Promise.resolve();
    let entry = entries.get(tenant.schema);
    if (!entry) {
      if (entries.size > 5_000) entries.clear();
      entries.set(
        tenant.schema,
        (entry = {
          at: -Infinity,
          reading: null,
          generation: 0,
          settings: new Map(),
          chosen: new Map(),
          series: new Map(),
          prints: new Map(),
          text: '',
          masked: [],
          product: null,
          variants: new Map(),
        }),
      );
    }
    const now = entry;
    if (bus.isFresh(tenant.db, now.at)) return Promise.resolve();
    if (now.reading === null) {
      const reading = read(tenant, now).finally(() => {
        if (now.reading === reading) now.reading = null;
      });
      now.reading = reading;
    }
    return now.reading;
  }

  function variantOf(entry: Entry, key: string, sees: (setting: FieldSetting) => boolean): Map<string, Screen> {
    const product = store.screens();
    if (entry.product !== product) Object.assign(entry, { product, variants: new Map() });
    let screens = entry.variants.get(key);
    if (!screens) {
      if (entry.variants.size >= MAX_VARIANTS) entry.variants.clear();
      screens = new Map(product);
      for (const screen of ofProduct().depending)
        screens.set(
          screen.name,
          bySettings(screen, (condition) => holds(entry, condition)),
        );
      const { types } = settingTypes()[0]?.overlay ?? { types: {} };
      for (const [type, settings] of entry.settings) {
        const screen = screens.get(type);
        if (screen)
          screens.set(type, overlaid(screen, types, key === OF_PRODUCT ? settings.map(named) : settings, sees));
      }
      for (const [type, own] of entry.series) {
        const screen = screens.get(type);
        if (screen) screens.set(type, withSeries(screen, own));
      }
      for (const [type, own] of entry.prints) {
        const screen = screens.get(type);
        if (screen) screens.set(type, withPrints(screen, own));
      }
      entry.variants.set(key, screens);
    }
    return screens;
  }

  /** Which masked fields, in the order of the settings, the person may see: one digit per field. */
  function keyOf(entry: Pick<Entry, 'masked'>, session: Session): string {
    if (session.rights.isElevated || seesAll(session)) return OF_PRODUCT;
    const roles = (session as Session & { roleIds?: number[] }).roleIds ?? [];
    return entry.masked
      .map((setting) => (session.rights.isAdmin || setting.roles?.some((role) => roles.includes(role)) ? '1' : '0'))
      .join('');
  }

  /** The screens of people whose roles hide fields, by the original screens and the hidden fields. */
  const kept = new WeakMap<Map<string, Screen>, Map<string, Map<string, Screen>>>();
  /** The hidden fields, by the person's rights and the screens. */
  const keptFrom = new WeakMap<
    CompiledRights,
    { screens: Map<string, Screen>; text: string; byType: Map<string, ReadonlyMap<string, FieldAccess>> }
  >();

  function keptOf(
    session: Session,
    screens: Map<string, Screen>,
  ): { text: string; byType: Map<string, ReadonlyMap<string, FieldAccess>> } | null {
    const rights = session.rights as Partial<CompiledRights> & object;
    if (rights.restricted !== true) return null;
    const known = keptFrom.get(rights as CompiledRights);
    if (known?.screens === screens) return known;
    const byType = new Map(
      [...screens.values()]
        .map((screen) => [screen.name, (rights as CompiledRights).fieldAccess(screen)] as const)
        .filter(([, access]) => access.size > 0),
    );
    const found = {
      screens,
      byType,
      text: [...byType].map(([type, access]) => accessText(screens.get(type)!, access)).join(';'),
    };
    keptFrom.set(rights as CompiledRights, found);
    return found;
  }

  function withKept(screens: Map<string, Screen>, session: Session): Map<string, Screen> {
    const from = keptOf(session, screens);
    if (!from || from.byType.size === 0) return screens;
    const variants = kept.get(screens) ?? new Map<string, Map<string, Screen>>();
    kept.set(screens, variants);
    let made = variants.get(from.text);
    if (!made) {
      if (variants.size >= MAX_VARIANTS) variants.clear();
      made = new Map(screens);
      for (const [type, access] of from.byType) made.set(type, restricted(screens.get(type)!, access));
      variants.set(from.text, made);
    }
    return made;
  }

  /** The screens of this person's client, without the fields that their roles hide. */
  function ofClient(session: Session): Map<string, Screen> {
    const entry = entries.get(session.tenant.schema);
    const { settings, chosen, series, prints } = entry ?? {};
    return !entry || [settings, chosen, series, prints].every((one) => one?.size === 0)
      ? store.screens()
      : byKey(entry, keyOf(entry, session));
  }

  function byKey(entry: Entry, key: string): Map<string, Screen> {
    const order = entry.masked;
    return variantOf(entry, key, (setting) => key === OF_PRODUCT || key[order.indexOf(setting)] !== '0');
  }

  bus.on((message) => {
    if (message.kind === 'settings') stale(message.schema);
  });
  bus.onGap(() => {
    for (const schema of entries.keys()) stale(schema);
  });
  function stale(schema: string): void {
    const entry = entries.get(schema);
    if (!entry) return;
    entry.at = -Infinity;
    entry.generation++;
    // A read in progress may predate the change.
    entry.reading = null;
  }

  return {
    prepare,
    of(session) {
      return withKept(ofClient(session), session);
    },
    async bySettings(tenant, screen) {
      await prepare(tenant);
      const entry = entries.get(tenant.schema);
      return entry ? bySettings(screen, (condition) => holds(entry, condition)) : screen;
    },
    changed(tenant) {
      stale(tenant.schema);
      prepare(tenant).catch(() => undefined);
    },
    isSetting: (type) =>
      ofProduct().asked.has(type) ||
      settingTypes().some((screen) => screen.name === type) ||
      seriesType()?.name === type ||
      designType()?.name === type,
    addressOf(session, screen) {
      const address = store.addressOf(screen);
      if (store.screens().get(screen.name) === screen) return address;
      const screens = ofClient(session);
      const access = keptOf(session, screens)?.byType.get(screen.name);
      const key = keyOf(entries.get(session.tenant.schema) ?? { masked: [] }, session);
      return `${address}.${session.tenant.subDomain}.${key}${access ? `.${accessText(screens.get(screen.name)!, access)}` : ''}`;
    },
    async ofAddress(address, tenantOf) {
      const [content, subDomain, key, keptText] = address.split('.');
      if (content === undefined || subDomain === undefined || key === undefined) return store.ofAddress(address);
      const tenant = await tenantOf(subDomain);
      if (!tenant) return null;
      await prepare(tenant);
      const entry = entries.get(tenant.schema);
      if (key === OF_PRODUCT || key.length !== (entry?.masked.length ?? 0)) return null;
      const product = store.screens();
      const screens = entry ? byKey(entry, key) : product;
      if (keptText !== undefined) {
        const said = readAccessText(keptText, screens);
        const screen = said && restricted(said.screen, said.access);
        return screen && store.addressOf(screen) === content ? screen : null;
      }
      if (!entry) return null;
      for (const type of new Set([
        ...entry.settings.keys(),
        ...entry.series.keys(),
        ...entry.prints.keys(),
        ...ofProduct().depending.map(({ name }) => name),
      ])) {
        const screen = screens.get(type);
        if (screen && screen !== product.get(type) && store.addressOf(screen) === content) return screen;
      }
      return null;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
