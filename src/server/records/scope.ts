import type { Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted, treeTable } from '../db/names.ts';
import { AppError } from '../errors.ts';
import type { Values } from './sql_text.ts';

/** The company that a call on company records works in. @throws AppError 400 when none is chosen */
export function companyOf(session: Session): number {
  if (session.entityId === null) throw new AppError(400, 'bad_request', 'Choose a company first.');
  return session.entityId;
}

/**
 * The conditions that every statement on a type's rows carries: the company, and the rows that the
 * user's role lets them see. `alias` is the table's.
 */
export function rowScope(session: Session, screen: Screen, screens: Map<string, Screen>, alias: string, values: Values): string[] {
  const conditions: string[] = [];
  const scope = session.rights.isAdmin ? 'company' : session.rights.dataScope(screen);
  if (screen.scope === 'entity') {
    if (scope === 'all_companies' && !session.rights.isAdmin) conditions.push(`${alias}.entity_id = any(${values.bind(session.entityIds)})`);
    else conditions.push(`${alias}.entity_id = ${values.bind(companyOf(session))}`);
  }
  if (scope === 'own') conditions.push(ownRows(session, screen, alias, values));
  if (scope === 'team') conditions.push(teamRows(session, screen, screens, alias, values));
  if (scope === 'branch') {
    const branch = screen.fields.find((field) => field.type === 'ref' && field.name === 'branch_id');
    if (branch) conditions.push(`${alias}.${quoted(branch.name)} = any(${values.bind(session.branchIds)})`);
  }
  return conditions;
}

/** Fields of a type that say whose record it is: the person, by user or by employee. */
function personFields(screen: Screen, type: string): string[] {
  return screen.fields.filter((field) => field.type === 'ref' && field.ref!.type === type && /^(user|employee|assigned_to|owner|assignee)(_id)?$/.test(field.name)).map((field) => field.name);
}

function ownRows(session: Session, screen: Screen, alias: string, values: Values): string {
  const user = values.bind(session.userId);
  const ways = [`${alias}.created_by = ${user}`, ...personFields(screen, 'users').map((name) => `${alias}.${quoted(name)} = ${user}`)];
  if (session.employeeId !== null) {
    const employee = values.bind(session.employeeId);
    ways.push(...personFields(screen, 'employee').map((name) => `${alias}.${quoted(name)} = ${employee}`));
    if (screen.tree?.closure) ways.push(`${alias}.id = ${employee}`);
  }
  return `(${ways.join(' or ')})`;
}

/** Me and all direct and indirect subordinates, by the closure table of the type that keeps one. */
function teamRows(session: Session, screen: Screen, screens: Map<string, Screen>, alias: string, values: Values): string {
  const people = [...screens.values()].find((one) => one.tree?.closure);
  if (!people || session.employeeId === null) return ownRows(session, screen, alias, values);
  const team = `(select descendant_id from ${treeTable(session.tenant.schema, people.name)} where ancestor_id = ${values.bind(session.employeeId)})`;
  if (screen.name === people.name) return `${alias}.id in ${team}`;
  const ways = [ownRows(session, screen, alias, values), ...personFields(screen, people.name).map((name) => `${alias}.${quoted(name)} in ${team}`)];
  return `(${ways.join(' or ')})`;
}
