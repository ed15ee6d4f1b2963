import { AppError } from '../../db/errors.ts';
import { tableName, treeTable } from '../../db/names.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

const PEOPLE = 'employee';
/** Choices that are columns of the rows themselves. */
const OWN = ['department_id', 'branch_id', 'employee_id'] as const;
/** Choices that are fields of the member. */
const OF_MEMBER = ['designation_id', 'grade_id'] as const;
/** Choices that are fields of the KPI. */
const OF_KPI = ['kpi_id', 'kpi_type_id'] as const;

/**
 * The common choices of the reports as conditions: unit, member, designation, grade, the people below a manager, and for
 * rows of KPIs the KPI and its type. @throws AppError 403 for a field of members that the reader may not see
 */
export function peopleChoices(
  { session, screens, parameters }: Pick<ReportCall, 'session' | 'screens' | 'parameters'>,
  alias: string,
  values: SqlParams,
): string[] {
  const { schema } = session.tenant;
  const given = (name: string) => parameters[name] ?? null;
  const equals = (column: string, name: string) => `${column} = ${values.bind(given(name))}`;
  const ofOther = (type: string, column: string, name: string, condition: string) =>
    `exists (select 1 from ${tableName(schema, type)} ${name} where ${name}.id = ${alias}.${column} and ${condition})`;
  const people = screens.get(PEOPLE)!;
  const access = session.rights.fieldAccess(people);
  for (const name of OF_MEMBER) {
    const isUnseen = people.fields.some((field) => field.name === name && field.masked);
    if (given(name) !== null && (isUnseen || ['hidden', 'masked'].includes(access.get(name) ?? '')))
      throw new AppError(403, 'forbidden', 'You may not see this field of members. Clear the choice.', { field: name });
  }
  const chosen = (names: readonly string[]) => names.filter((name) => given(name) !== null);
  return [
    ...chosen(OWN).map((name) => equals(`${alias}.${name}`, name)),
    ...chosen(OF_MEMBER).map((name) => ofOther(PEOPLE, 'employee_id', 'm', equals(`m.${name}`, name))),
    ...chosen(OF_KPI).map((name) =>
      name === 'kpi_id'
        ? equals(`${alias}.kpi_id`, name)
        : ofOther('kpi', 'kpi_id', 'c', equals('c.kpi_type_id', name)),
    ),
    ...(given('manager_id') === null
      ? []
      : [
          `${alias}.employee_id in (select descendant_id from ${treeTable(schema, PEOPLE)}
            where ancestor_id = ${values.bind(given('manager_id'))} and depth ${given('direct') === true ? '= 1' : '> 0'})`,
        ]),
  ];
}
