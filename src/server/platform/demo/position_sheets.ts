import type { Queryable } from '../../db/database.ts';
import { tableName } from '../../db/names.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Line } from './kpi_positions.ts';
import { BRANCH_LINES, INSTALLERS, OF_BRANCH, POSITIONS, sheetLine } from './kpi_positions.ts';

/** Members with the KPIs of their position. */
const MEMBERS = 47;
/** Places among them: whose sheet of the running year is disputed, and whose is a draft. */
const [DISPUTED, DRAFT] = [12, 46];
/** The department that installs lifts. */
const INSTALLING = 'INS';

/** Works as an account, or as the system. */
type Act = <T>(user: number | null, work: (unit: Unit) => Promise<T>) => Promise<T>;

interface Member extends Record<string, unknown> {
  id: number;
  branch_id: number;
  designation: string;
  department: string;
  user_id: number | null;
  manager_user: number | null;
}

export interface PositionSheets {
  tx: Queryable;
  schema: string;
  company: number;
  /** The financial year, as 2026-2027, with its days. */
  year: string;
  span: { from: string; to: string };
  isRunning: boolean;
  /** Members who have a sheet already. */
  except: readonly number[];
  /** Accounts that approve what another one submitted. */
  accounts: readonly (number | null)[];
  /** KPIs by their codes. */
  ids: ReadonlyMap<string, number>;
  act: Act;
}

/** Adds the sheets of branches, and of members with accounts or reports, with the KPIs of their position. HR acts for those without an account. */
export async function addPositionSheets(of: PositionSheets): Promise<void> {
  const { tx, schema, company, year, span, isRunning, except, accounts, ids, act } = of;
  const table = (type: string) => tableName(schema, type);
  // Members who share a name would need their codes in a sheet of Excel.
  const members = await tx.query<Member>(
    `select e.id, e.branch_id, d.code as designation, p.code as department, e.user_id, m.user_id as manager_user
     from ${table('employee')} e join ${table('designation')} d on d.id = e.designation_id
     join ${table('department')} p on p.id = e.department_id join ${table('employee')} m on m.id = e.reporting_to_id
     where e.entity_id = $1 and e.active and e.status = 'active' and d.code = any($2) and not e.id = any($3)
       and not exists (select 1 from ${table('employee')} o where o.id <> e.id and o.name = e.name)
       and (e.user_id is not null or exists (select 1 from ${table('employee')} r where r.reporting_to_id = e.id and r.active))
     order by e.user_id is null, (select count(*) from ${table('employee')} r where r.reporting_to_id = e.id) desc, e.id limit ${MEMBERS}`,
    [company, Object.keys(POSITIONS), except],
  );
  const divisions = new Map(
    (await tx.query<{ id: number; code: string }>(`select id, code from ${table('division')}`)).map(({ id, code }) => [
      code,
      id,
    ]),
  );
  const hr = accounts[0] ?? null;
  const approve = async (sheet: number, by: number | null) => {
    const other = accounts.find((one) => one !== null && one !== by) ?? null;
    await act(by, (unit) => unit.transition('kpi_sheet', sheet, 'submit'));
    await act(other, (unit) => unit.transition('kpi_sheet', sheet, 'approve'));
  };
  const sheetOf = (by: number | null, owner: Record<string, unknown>, lines: readonly Line[]) =>
    act(by, (unit) =>
      unit.create('kpi_sheet', {
        ...owner,
        financial_year: year,
        valid_from: span.from,
        valid_to: span.to,
        lines: lines.map((line) => ({
          ...sheetLine(line, ids, span.to),
          ...(line.division !== undefined && { division_id: divisions.get(line.division) }),
        })),
      }),
    );
  const branches = new Map<number, number>();
  for (const branch of [...new Set(members.map(({ branch_id: id }) => id))].sort((a, b) => a - b)) {
    const [head] = await tx.query<{ id: number; user_id: number | null }>(
      `select e.id, e.user_id from ${table('employee')} e join ${table('designation')} d on d.id = e.designation_id
       where e.entity_id = $1 and e.active and e.branch_id = $2 and d.code in ('BRM', 'SRM') order by d.code, e.id limit 1`,
      [company, branch],
    );
    if (!head) continue;
    const owner = { owner_kind: 'branch', branch_id: branch, responsible_id: head.id };
    branches.set(branch, (await sheetOf(hr, owner, BRANCH_LINES)).id);
  }
  for (const [at, member] of members.entries()) {
    const above = branches.get(member.branch_id);
    const lines = member.department === INSTALLING ? INSTALLERS : POSITIONS[member.designation]!;
    const { id: sheet } = await sheetOf(
      member.manager_user ?? hr,
      { employee_id: member.id },
      lines.map((line) => (above !== undefined && OF_BRANCH.has(line.kpi) ? { ...line, above } : line)),
    );
    if (isRunning && at === DRAFT) continue;
    await approve(sheet, member.manager_user ?? hr);
    if (isRunning && at === DISPUTED)
      await act(member.user_id ?? hr, (unit) =>
        unit.transition('kpi_sheet', sheet, 'dispute', { reason: 'The calls of the night shift are not mine.' }),
      );
    else await act(member.user_id ?? hr, (unit) => unit.transition('kpi_sheet', sheet, 'acknowledge'));
  }
  for (const sheet of branches.values()) {
    await approve(sheet, hr);
    await act(hr, (unit) => unit.transition('kpi_sheet', sheet, 'acknowledge'));
  }
}
