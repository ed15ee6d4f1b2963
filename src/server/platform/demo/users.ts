import type { Random } from './random.ts';
import type { Row, SignIn } from './shapes.ts';
import type { Employee, Staff } from './staff.ts';

type Id = (type: string, code: string, company?: number) => number;

interface Account {
  person?: Employee;
  username?: string;
  name?: string;
  email?: string;
  role: string;
  /** The person's additional function. */
  furtherRoles?: string[];
  what?: string;
  flags?: Record<string, boolean>;
  status?: 'invited' | 'active' | 'disabled';
  /** Companies the account works in; default the person's own. */
  companies?: number[];
  withoutBranch?: boolean;
  products?: string[];
}

/** Additional field service roles of people in the lift company. */
const OF_LIFT_SERVICE: Record<string, string> = {
  BRM: 'SERVICE',
  SRM: 'SERVICE',
  SUP: 'ROUTE_SUPERVISOR',
  DSP: 'CALL_DESK',
};

/** 46 accounts of the Acme group: one of each kind, then people in every branch. */
export function acmeUsers(staff: Staff, random: Random, id: Id, today: string): Accounts {
  const of = (company: number, designation: string, branch?: string) => staff.find(company, designation, branch);
  const accounts: Account[] = [
    {
      person: of(1, 'HIT'),
      username: 'admin',
      role: 'ADMIN',
      flags: { is_admin: true },
      companies: [1, 2, 3],
      what: 'Administrator: everything, all three companies',
    },
    {
      person: of(1, 'CHM'),
      username: 'chairman',
      role: 'BOARD',
      flags: { chairman_flag: true },
      companies: [1, 2, 3],
      what: 'Chairman: board dashboards, all three companies',
    },
    {
      person: of(3, 'CEO'),
      username: 'ceo',
      role: 'BOARD',
      flags: { ceo_flag: true },
      companies: [3, 1, 2],
      what: 'Chief executive of Acme Consumer',
    },
    {
      person: of(1, 'CSE'),
      username: 'secretary',
      role: 'BOARD',
      furtherRoles: ['COMPLIANCE_OFFICER', 'BOARD_SECRETARY'],
      flags: { secretary_flag: true },
      what: 'Company secretary: secretary board, and compliance officer of Acme Lifts',
    },
    {
      person: of(1, 'HSV'),
      username: 'manager',
      role: 'MANAGER',
      furtherRoles: ['HEAD_OF_SERVICE', 'DESK_LEAD', 'BOARD_MEMBER'],
      what: 'Manager: head of service of Acme Lifts, sees the own team and all field service, sits in the board',
    },
    { person: of(1, 'SXE'), username: 'employee', role: 'STAFF', what: 'Employee: own work only' },
    { person: of(1, 'TEC'), username: 'technician', role: 'TECHNICIAN', what: 'Technician in Chennai' },
    {
      person: of(1, 'DSP', 'CHN'),
      username: 'dispatcher',
      role: 'CALL_DESK',
      furtherRoles: ['STAFF'],
      what: 'Dispatcher in Chennai',
    },
    {
      person: of(1, 'STK', 'CHN'),
      username: 'storekeeper',
      role: 'STOREKEEPER',
      furtherRoles: ['STAFF'],
      what: 'Storekeeper in Chennai',
    },
    {
      person: staff.people.findLast(({ post }) => post.designation === 'SXE' && post.branch === 'CHN')!,
      username: 'sales',
      role: 'AMC_SALES',
      furtherRoles: ['STAFF'],
      what: 'Sales of maintenance contracts in Chennai',
    },
    { person: of(1, 'ACC', 'CHN'), username: 'accountant', role: 'ACCOUNTS', what: 'Accountant in Chennai' },
    {
      person: of(1, 'HRM'),
      username: 'hrmanager',
      role: 'HR',
      furtherRoles: ['DESK_AGENT'],
      what: 'HR manager: employees and organisation lists',
    },
    {
      username: 'auditor',
      name: 'Ramesh Iyer',
      email: 'ramesh.iyer@iyer-associates.in',
      role: 'AUDITOR',
      companies: [1, 2, 3],
      withoutBranch: true,
      what: 'Auditor: reads everything; no branch, so no walk-ins',
    },
    {
      username: 'nocompany',
      name: 'Farida Contractor',
      email: 'farida.contractor@acmeretail.in',
      role: 'STAFF',
      companies: [],
      what: 'Account without a company: cannot enter',
    },
    { person: of(2, 'FLS', 'PUN'), role: 'STAFF', status: 'disabled', what: 'Disabled account: cannot enter' },
    {
      person: of(2, 'STM', 'TNG'),
      username: 'storemanager',
      role: 'MANAGER',
      furtherRoles: ['STORE_MANAGER'],
      what: 'Store manager in T Nagar, Acme Retail',
    },
    { person: of(2, 'CEO'), role: 'BOARD', flags: { ceo_flag: true } },
    { person: of(3, 'BUH'), role: 'MANAGER' },
  ];
  const listed = new Set(accounts.map(({ person }) => person));
  const candidates = staff.people.filter((person) => person.row.status === 'active' && !listed.has(person));
  const ranks: [string[], string, number][] = [
    [['BRM', 'SRM', 'STM', 'PLM', 'SLM'], 'MANAGER', 12],
    [['SUP', 'DSP'], 'STAFF', 6],
    [['TEC'], 'TECHNICIAN', 5],
    [['ACC', 'ACM'], 'ACCOUNTS', 3],
    [['SXE', 'SAS', 'HRE'], 'STAFF', 2],
    [['ITE'], 'DESK_AGENT', 4],
  ];
  for (const [designations, role, count] of ranks) {
    const fit = candidates.filter(({ post }) => designations.includes(post.designation));
    for (let n = 0; n < count && fit.length > 0; n += 1) {
      const [person] = fit.splice(random.int(0, fit.length - 1), 1);
      if (!person) continue;
      const own = person.company.id === 1 ? OF_LIFT_SERVICE[person.post.designation] : undefined;
      accounts.push({
        person,
        role: own ?? role,
        ...(own && { furtherRoles: [role] }),
        ...(n === count - 1 && designations.includes('SXE') && { status: 'invited' as const }),
      });
    }
  }
  return accountRows(accounts, id, today);
}

/** Three accounts of Zenith Facilities. */
export function zenithUsers(staff: Staff, id: Id): Accounts {
  return accountRows(
    [
      {
        person: staff.find(1, 'CEO'),
        username: 'admin',
        role: 'ADMIN',
        flags: { is_admin: true },
        what: 'Administrator of Zenith Facilities',
      },
      { person: staff.find(1, 'BRM', 'BLR'), username: 'manager', role: 'MANAGER', what: 'Branch manager' },
      { person: staff.find(1, 'FIT'), username: 'employee', role: 'STAFF', what: 'Employee' },
    ],
    id,
  );
}

export interface Accounts {
  users: Row[];
  signIns: SignIn[];
}

function accountRows(accounts: Account[], id: Id, today?: string): Accounts {
  const users = accounts.map((account, index): Row => {
    const person = account.person;
    const companies = account.companies ?? (person ? [person.company.id] : []);
    return {
      id: index + 1,
      username: account.username ?? String(person?.row.work_email).split('@')[0],
      name: account.name ?? person?.row.name,
      email: account.email ?? person?.row.work_email,
      mobile: person?.row.mobile ?? null,
      employee_id: person?.row.id ?? null,
      is_admin: false,
      chairman_flag: false,
      ceo_flag: false,
      secretary_flag: false,
      is_service: false,
      status: account.status ?? 'active',
      valid_from: today ? `${today.slice(0, 4)}-01-01` : null,
      language: 'en',
      mfa_required: false,
      must_change_password: false,
      products: account.products ?? [],
      ...account.flags,
      companies: companies.map((company, order) => {
        const branch =
          person && !account.withoutBranch && person.company.id === company ? (person.row.branch_id as number) : null;
        return {
          entity_id: company,
          is_default: order === 0,
          branch_id: branch,
          branch_ids: branch === null ? [] : [branch],
          role_ids: [account.role, ...(account.furtherRoles ?? [])].map((role) => id('role', role)),
        };
      }),
    };
  });
  const signIns = accounts.map((account, index) => ({
    userId: index + 1,
    username: users[index]?.username as string,
    ...(account.what && { what: account.what }),
  }));
  return { users, signIns };
}
