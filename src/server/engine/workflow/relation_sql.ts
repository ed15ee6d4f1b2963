import { ROLE_TYPE } from '../../../descriptor/serves_people.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Relation } from '../../../descriptor/workflow.ts';
import { quoted, tableName, treeTable } from '../../db/names.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { Person } from './relations.ts';
import { MAX_LEVELS, memberType } from './relations.ts';

interface Place {
  schema: string;
  screens: ReadonlyMap<string, Screen>;
  screen: Screen;
  /** The alias of the type's table. */
  alias: string;
}

/**
 * The condition that a person is in a relation to a row, as SQL. The relation's `when` is left out: it is evaluated on
 * the record itself.
 */
export function relationSql(place: Place, relation: Relation, person: Person, values: SqlParams): string {
  const { schema, screens, screen, alias } = place;
  if (relation.did !== undefined)
    return `coalesce((select l.by from ${quoted(schema)}.transition_log l where l.record_type = ${values.bind(screen.name)} and l.record_id = ${alias}.id and l.transition = ${values.bind(relation.did)} order by l.id desc limit 1) = ${values.bind(person.userId)}::bigint, false)`;
  const member = memberType(screens);
  return along(place, relation.path, (column, type, many) => {
    if (type === ROLE_TYPE)
      return `coalesce(${many ? column : `array[${column}]`} && ${values.bind(person.roleIds ?? [])}::bigint[], false)`;
    const isMember = member !== undefined && type === member.name;
    const me = isMember ? person.employeeId : person.userId;
    if (me === null) return 'false';
    if (relation.above === undefined)
      return `coalesce(${values.bind(me)}::bigint = ${many ? `any(${column})` : column}, false)`;
    if (!isMember || !member.tree?.closure) return 'false';
    return `exists (select 1 from ${treeTable(schema, member.name)} a where a.ancestor_id = ${values.bind(me)}::bigint and a.descendant_id = ${many ? `any(${column})` : column} and a.depth between 1 and ${values.bind(relation.above.levels ?? MAX_LEVELS)}::int)`;
  });
}

/** A condition on the column at the end of a path of references. */
function along(
  { schema, screens, screen, alias }: Place,
  [name = '', ...rest]: string[],
  condition: (column: string, type: string | undefined, many: boolean) => string,
): string {
  const field = screen.fields.find((one) => one.name === name);
  const column = `${alias}.${quoted(name)}`;
  const many = field?.type === 'refs';
  if (rest.length === 0) return condition(column, field?.ref?.type, many);
  const next = field?.ref && screens.get(field.ref.type);
  if (!next) return 'false';
  const further = `${alias}_${rest.length}`;
  return `exists (select 1 from ${tableName(schema, next.name)} ${further} where ${further}.id = ${many ? `any(${column})` : column} and ${along({ schema, screens, screen: next, alias: further }, rest, condition)})`;
}
