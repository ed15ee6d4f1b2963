import { today } from '../../../descriptor/place.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { SightCondition, SightOperand } from '../../../descriptor/visible.ts';
import { sightCondition, sightOf } from '../../../descriptor/visible.ts';
import type { Session } from '../../access/context.ts';
import { storedFields } from '../../db/columns.ts';
import { literal, quoted, tableName } from '../../db/names.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import { memoPerScreen } from '../../db/sql_text.ts';
import { relationSql } from '../workflow/relation_sql.ts';
import type { Person } from '../workflow/relations.ts';
import { relationNamed } from '../workflow/relations.ts';

/** The reader: the person, and their delegators for records of the type. */
function readers(session: Session, { name }: Screen): Person[] {
  const given = (session.actsFor ?? []).filter(({ types }) => types === null || types.includes(name));
  return [session, ...given].map(({ userId, employeeId }) => ({ userId: userId ?? 0, employeeId }));
}

/** The product itself, in automatic processing, sees all fields. */
export function seesAll({ sid }: Session): boolean {
  return sid === 'system';
}

interface Asked {
  session: Session;
  screen: Screen;
  screens: ReadonlyMap<string, Screen>;
  /** The alias of the row. */
  alias: string;
  values: SqlParams;
}

/** Whether a field is visible to the reader in the current row, as SQL. */
export function sightSql(asked: Asked, text: string): string {
  return conditionSql(asked, sightCondition(text));
}

/**
 * What is stored for others (`asPublic`) contains only what everybody may see: its reader is in no relation and has no
 * rights, and where a condition excludes people (`not`), they are among the excluded.
 */
function conditionSql(asked: Asked, condition: SightCondition, excludes = false): string {
  const { alias, screen, screens, session, values } = asked;
  const column = (name: string) => `${alias}.${quoted(name)}`;
  const inner = (one: SightCondition) => conditionSql(asked, one, excludes);
  const isEverybody = session.userId === 0;
  switch (condition.is) {
    case 'all':
      return `(${condition.of.map(inner).join(' and ')})`;
    case 'some':
      return `(${condition.of.map(inner).join(' or ')})`;
    case 'not':
      return `(not ${conditionSql(asked, condition.of, !excludes)})`;
    case 'true':
      return column(condition.field);
    case 'empty':
      return `(coalesce(${column(condition.field)}::text, '') = '')`;
    case 'in':
      return `(${condition.list.map((item) => compared(alias, '==', condition.left, item)).join(' or ') || 'false'})`;
    case 'compare':
      return compared(alias, condition.sign, condition.left, condition.right);
    case 'may':
      return (isEverybody ? excludes : session.rights.refuseAction(condition.action) === null) ? 'true' : 'false';
    case 'viewer': {
      if (isEverybody) return excludes ? 'true' : 'false';
      const relation = relationNamed(screen, condition.relation);
      if (!relation) return 'false';
      const place = { schema: session.tenant.schema, screens, screen, alias };
      const stands = readers(session, screen).map((person) => relationSql(place, relation, person, values));
      const where = relation.when === undefined ? '' : ` and ${sightSql(asked, relation.when)}`;
      return `((${stands.join(' or ')})${where})`;
    }
  }
}

const SIGNS = { '==': 'is not distinct from', '!=': 'is distinct from' } as const;

function compared(alias: string, sign: keyof typeof SIGNS | '<' | '<=' | '>' | '>=', a: SightOperand, b: SightOperand) {
  const side = (one: SightOperand): string => {
    if ('field' in one) return `${alias}.${quoted(one.field)}`;
    if ('today' in one) return `${literal(today())}::date`;
    if (one.value === null) return 'null';
    return typeof one.value === 'string' ? literal(one.value) : String(one.value);
  };
  return `(${side(a)} ${sign === '==' || sign === '!=' ? SIGNS[sign] : sign} ${side(b)})`;
}

/** Columns that every table of records has besides those of its fields. */
const STAMPS = ['id', 'version', 'active', 'created_at', 'created_by', 'updated_at', 'updated_by', 'custom'];

/**
 * The table of a type with an alias, as the reader sees its rows: hidden fields are null, so no list shows, finds,
 * sorts, groups or adds them up. PostgreSQL inlines the inner select.
 */
export function visibleTable(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  alias: string,
  values: SqlParams,
): string {
  const table = tableName(session.tenant.schema, screen.name);
  const whole = productScreen(screen);
  if (sightOf(whole).size === 0 || seesAll(session)) return `${table} ${alias}`;
  const inner = `${alias}v`;
  const plain = memoPerScreen(screens, screen, `columns ${inner}`, () => {
    const company = screen.scope === 'entity' ? ['entity_id'] : [];
    const fields = storedFields(whole).columns.filter(({ visible }) => visible === undefined);
    return [...STAMPS, ...company, ...fields.map(({ name }) => name)].map((name) => `${inner}.${quoted(name)}`);
  });
  const asked = { session, screen: whole, screens, alias: inner, values };
  const masked = storedFields(whole)
    .columns.filter(({ visible }) => visible !== undefined)
    .map(
      ({ name, visible }) =>
        `case when ${sightSql(asked, visible!)} then ${inner}.${quoted(name)} end as ${quoted(name)}`,
    );
  return `(select ${[...plain, ...masked].join(', ')} from ${table} ${inner}) ${alias}`;
}
