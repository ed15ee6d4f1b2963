import { addDays, financialYear } from './dates.ts';
import { hireAll } from './hiring.ts';
import {
  ACME_DEPARTMENTS,
  BUSINESS_TYPES,
  DESIGNATIONS,
  FUNCTIONS,
  GRADES,
  LEVEL_LABELS,
  REASONS,
  SEGMENTS,
  SKILLS,
  ZENITH_DEPARTMENTS,
} from './masters.ts';
import type { DepartmentPlan } from './masters.ts';
import {
  ACME_BRANCHES,
  ACME_COMPANIES,
  ACME_OUTLETS,
  REGIONS,
  ZENITH_BRANCHES,
  ZENITH_COMPANIES,
  ZONES,
} from './places.ts';
import type { BranchPlan, CompanyPlan, OutletPlan } from './places.ts';
import { Random } from './random.ts';
import { gstin } from './registrations.ts';
import { ROLE_TEMPLATES } from '../clients/role_templates.ts';
import type { DemoData, Places, Row } from './shapes.ts';
import { Staff } from './staff.ts';
import type { Employee } from './staff.ts';
import { acmeUsers, zenithUsers } from './users.ts';

const SEED = 20_250_401;
const GST_CODE: Record<string, string> = {
  TN: '33',
  KA: '29',
  TS: '36',
  KL: '32',
  MH: '27',
  WB: '19',
  UK: '05',
  DL: '07',
};

interface Plan {
  companies: CompanyPlan[];
  branches: BranchPlan[];
  departments: Record<number, DepartmentPlan[]>;
  outlets: OutletPlan[];
  /** Includes sales geography, delegations and member roles. */
  full: boolean;
}

/** The three companies of the Acme group. The same day and places give the same data, byte for byte. */
export function acmeData(today: string, places: Places): DemoData {
  return build(
    {
      companies: ACME_COMPANIES,
      branches: ACME_BRANCHES,
      departments: ACME_DEPARTMENTS,
      outlets: ACME_OUTLETS,
      full: true,
    },
    today,
    places,
  );
}

/** The only company of the tenant zenith, which exists to show isolation between tenants. */
export function zenithData(today: string, places: Places): DemoData {
  return build(
    {
      companies: ZENITH_COMPANIES,
      branches: ZENITH_BRANCHES,
      departments: ZENITH_DEPARTMENTS,
      outlets: [],
      full: false,
    },
    today,
    places,
  );
}

function build(plan: Plan, today: string, places: Places): DemoData {
  const random = new Random(SEED);
  const india = places.country('IN');
  const rows = new Map<string, Row[]>();
  const put = (type: string, list: Omit<Row, 'id'>[]): Row[] => {
    const numbered = list.map((row, index) => ({ ...row, id: index + 1 }) as Row);
    rows.set(type, numbered);
    return numbered;
  };
  /** The id of a row of `type` by its code; codes are unique within a company. */
  const id = (type: string, code: string, company?: number): number => {
    const found = rows
      .get(type)
      ?.find((row) => row.code === code && (company === undefined || row.entity_id === company));
    if (!found) throw new Error(`No ${type} ${code}.`);
    return found.id;
  };
  const branchOf = (company: number, code: string) =>
    plan.branches.find((branch) => branch.company === company && branch.code === code);

  put(
    'entity',
    plan.companies.map((company, index) => ({
      code: company.code,
      name: company.name,
      legal_name: company.legal,
      pan: company.pan,
      gstin: gstin(GST_CODE[company.state] ?? '', company.pan),
      cin: company.cin,
      tan: company.tan,
      address1: company.address,
      city: places.city(company.state, company.city),
      state_id: places.state(company.state),
      country: india,
      pincode: company.pincode,
      phone: company.phone,
      email: `office@${company.domain}`,
      website: `https://www.${company.domain}`,
      fy_start_month: 4,
      currency: 'INR',
      timezone: 'Asia/Kolkata',
      parent_entity_id: company.parent ?? null,
      sequence_no: index + 1,
    })),
  );
  put(
    'role',
    ROLE_TEMPLATES.filter(({ product }) => plan.full || product === undefined).map(
      ({ code, name, description, landing }) => ({
        code,
        role_name: name,
        description,
        template_code: code,
        is_system: true,
        landing_route: landing ?? null,
      }),
    ),
  );

  if (plan.full) salesGeography(put, id, places, india);
  const days = (list: [string, string[]][]) => list.map(([weekday, weeks]) => ({ weekday, weeks, part: 'full' }));
  put('weekoff', [
    {
      code: 'SUN',
      name: 'Sunday',
      is_default: true,
      effective_from: `${today.slice(0, 4)}-01-01`,
      rules: days([['sunday', ['all']]]),
    },
    {
      code: 'SAT24',
      name: 'Sunday, second and fourth Saturday',
      is_default: false,
      effective_from: `${today.slice(0, 4)}-01-01`,
      rules: days([
        ['sunday', ['all']],
        ['saturday', ['2', '4']],
      ]),
    },
    {
      code: 'MON',
      name: 'Monday (stores)',
      is_default: false,
      effective_from: `${today.slice(0, 4)}-01-01`,
      rules: days([['monday', ['all']]]),
    },
  ]);
  put(
    'reason',
    REASONS.map(([code, name, used_for, fault, remark_needed], index) => ({
      code,
      name,
      used_for,
      fault,
      remark_needed,
      sequence_no: index + 1,
    })),
  );
  put(
    'business_type',
    BUSINESS_TYPES.map(([code, name, category, default_hsn]) => ({ code, name, category, default_hsn })),
  );
  put(
    'segment',
    SEGMENTS.map(([code, name, segment_type]) => ({ code, name, segment_type })),
  );
  put(
    'skillsgroup',
    SKILLS.map(([code, name]) => ({ code, name })),
  );
  put(
    'competencies',
    SKILLS.flatMap(([group, , list]) =>
      list.map(([name, competency_type], index) => ({
        code: `${group}${index + 1}`,
        name,
        competency_type,
        skillsgroup_id: id('skillsgroup', group),
        assessed: true,
        levels: LEVEL_LABELS.map(([label, behaviour], step) => ({ level: step + 1, label, behaviour })),
      })),
    ),
  );
  put(
    'function',
    FUNCTIONS.map(([code, name]) => ({ code, name })),
  );
  for (const [code, , parent] of FUNCTIONS)
    if (parent) row('function', id('function', code)).parent_function_id = id('function', parent);
  put(
    'employee_grade',
    GRADES.map(([code, name, band, low, high, notice, probation, travel, daily], index) => ({
      code,
      name,
      rank_no: index + 1,
      band,
      min_ctc: `${low}.00`,
      max_ctc: `${high}.00`,
      notice_days: notice,
      probation_months: probation,
      travel_class: travel,
      per_diem: `${daily}.00`,
      overtime: index >= 5,
    })),
  );
  put(
    'designation',
    DESIGNATIONS.map(([code, name, short_name, grade, level_no]) => ({
      code,
      name,
      short_name,
      level_no,
      grade_id: id('employee_grade', grade),
      is_board: level_no === 1,
      competencies: neededSkills(code).map(([skill, required_level]) => ({
        competency_id: id('competencies', skill),
        required_level,
      })),
    })),
  );
  for (const [code, , , , , manager] of DESIGNATIONS)
    if (manager) row('designation', id('designation', code)).manager_designation_id = id('designation', manager);

  put(
    'branch',
    plan.branches.map((branch) => {
      const company = plan.companies.find((one) => one.id === branch.company);
      const region = rows.get('region')?.find(({ code }) => code === branch.region);
      return {
        entity_id: branch.company,
        code: branch.code,
        name: branch.name,
        branch_type: branch.type,
        address1: branch.address,
        city: places.city(branch.state, branch.city),
        state_id: places.state(branch.state),
        country: india,
        pincode: branch.pincode,
        gstin: gstin(GST_CODE[branch.state] ?? '', company?.pan ?? ''),
        bill_series: branch.code,
        e_invoice: branch.company !== 2,
        phone: branch.phone,
        email: `${branch.code.toLowerCase()}@${company?.domain ?? ''}`,
        geo: { lat: branch.lat, lng: branch.lng },
        fence_m: branch.type === 'factory' ? 600 : 200,
        work_from: branch.type === 'store' ? '10:30' : '09:30',
        work_to: branch.type === 'store' ? '20:30' : '18:30',
        opened_on: `${branch.opened}-04-01`,
        holiday_group: branch.state,
        region_id: region?.id ?? null,
        zone_id: region?.zone_id ?? null,
      };
    }),
  );
  for (const branch of plan.branches) {
    const head = plan.branches.find(({ company, type }) => company === branch.company && type === 'head_office');
    if (head && head !== branch)
      row('branch', id('branch', branch.code, branch.company)).parent_branch_id = id('branch', head.code, head.company);
  }
  put(
    'department',
    Object.entries(plan.departments).flatMap(([company, list]) =>
      list.map(({ code, name, function: of }) => ({
        entity_id: Number(company),
        code,
        name,
        function_id: id('function', of),
        cost_centre: `${plan.companies[Number(company) - 1]?.code ?? ''}-${code}`,
      })),
    ),
  );
  for (const company of plan.companies) {
    const top = id('department', 'MGT', company.id);
    for (const department of rows.get('department') ?? [])
      if (department.entity_id === company.id && department.id !== top) department.parent_department_id = top;
  }
  put(
    'subdepartment',
    Object.entries(plan.departments).flatMap(([company, list]) =>
      list.flatMap(({ code, parts }) =>
        parts.map((name, index) => ({
          entity_id: Number(company),
          code: `${code}${index + 1}`,
          name,
          department_id: id('department', code, Number(company)),
        })),
      ),
    ),
  );

  const staff = new Staff(
    random,
    today,
    {
      branch: (company, code) => id('branch', code, company),
      department: (company, code) => id('department', code, company),
      part: (company, department, name) => {
        const index = plan.departments[company]?.find(({ code }) => code === department)?.parts.indexOf(name) ?? -1;
        return id('subdepartment', `${department}${index + 1}`, company);
      },
      designation: (code) => id('designation', code),
      grade: (code) => id('employee_grade', code),
      functionOf: (company, department) =>
        row('department', id('department', department, company)).function_id as number,
    },
    india,
  );
  for (const company of plan.companies) hireAll(staff, company, plan.branches);
  put(
    'outlet',
    plan.outlets.map((outlet) => ({
      entity_id: 2,
      code: outlet.code,
      name: outlet.name,
      outlet_type: outlet.type,
      branch_id: id('branch', outlet.branch, 2),
      district_id: rows.get('district')?.find(({ name }) => name === outlet.district)?.id,
      city: places.city(outlet.state, outlet.city),
      address1: outlet.address,
      pincode: outlet.pincode,
      geo: { lat: outlet.lat, lng: outlet.lng },
      area_sqft: outlet.area,
      target_monthly: `${outlet.target}.00`,
      opened_on: `${outlet.opened}-04-14`,
      phone: branchOf(2, outlet.branch)?.phone,
      gstin: gstin(GST_CODE[outlet.state] ?? '', plan.companies[1]?.pan ?? ''),
      head_id: staff.find(2, outlet.type === 'kiosk' ? 'FLS' : 'STM', outlet.branch).row.id,
      contact_name: staff.find(2, 'FLS', outlet.branch).row.name,
    })),
  );
  rows.set(
    'employee',
    staff.people.map((person) => person.row),
  );
  livelySkills(staff.people, random, id, today);
  leavers(staff.people, random, id, today);
  appointHeads(staff.people, rows);

  if (plan.full) {
    put('delegation', delegations(staff, today));
    put('distinct_role_assignments', memberRoles(staff, id, today));
  }
  const { users, signIns } = plan.full ? acmeUsers(staff, random, id, today) : zenithUsers(staff, id);
  rows.set('users', users);
  for (const user of users) if (user.employee_id) row('employee', user.employee_id as number).user_id = user.id;
  return { rows, signIns };

  function row(type: string, rowId: number): Row {
    const found = rows.get(type)?.[rowId - 1];
    if (!found) throw new Error(`No ${type} ${rowId}.`);
    return found;
  }
}

type Put = (type: string, list: Omit<Row, 'id'>[]) => Row[];
type Id = (type: string, code: string, company?: number) => number;

function salesGeography(put: Put, id: Id, places: Places, india: number): void {
  put(
    'zone',
    ZONES.map(({ code, name }) => ({ code, name, country: india })),
  );
  put(
    'region',
    REGIONS.map(({ code, name, zone, state }) => ({
      code,
      name,
      zone_id: id('zone', zone),
      states: [places.state(state)],
    })),
  );
  put(
    'subregion',
    REGIONS.flatMap(({ code, subregions }) =>
      Object.keys(subregions).map((name, index) => ({
        code: `${code}${index + 1}`,
        name,
        region_id: id('region', code),
      })),
    ),
  );
  put(
    'district',
    REGIONS.flatMap(({ code, state, subregions }) =>
      Object.values(subregions).flatMap((list, index) =>
        list.map((text, place) => {
          const [name = '', pin = ''] = text.split(':');
          return {
            code: `${code}${index + 1}${place + 1}`,
            name,
            subregion_id: id('subregion', `${code}${index + 1}`),
            state_id: places.state(state),
            pincodes: `${pin}-${Number(pin) + 98}`,
          };
        }),
      ),
    ),
  );
}

function neededSkills(designation: string): [string, number][] {
  const needed: Record<string, [string, number][]> = {
    TEC: [
      ['LFT1', 3],
      ['LFT2', 3],
      ['LFT4', 4],
      ['SAF1', 3],
    ],
    FIT: [
      ['LFT1', 3],
      ['SAF2', 4],
    ],
    SUP: [
      ['LFT3', 4],
      ['LFT4', 5],
      ['SAF4', 4],
      ['LEA1', 3],
    ],
    SRM: [
      ['LFT5', 4],
      ['LEA2', 4],
      ['CUS1', 4],
    ],
    BRM: [
      ['LEA3', 4],
      ['COM3', 3],
      ['CUS1', 4],
    ],
    SAS: [
      ['CUS3', 3],
      ['CUS5', 3],
    ],
    SXE: [
      ['CUS4', 4],
      ['COM5', 3],
    ],
    ACC: [
      ['COM2', 4],
      ['COM4', 3],
    ],
    OPR: [
      ['PRD1', 3],
      ['PRD5', 3],
    ],
    SHS: [
      ['PRD2', 4],
      ['LEA1', 3],
    ],
    QAE: [
      ['SAF5', 4],
      ['LFT5', 4],
    ],
  };
  return needed[designation] ?? [];
}

/** Assessed skills of people whose designation requires some. */
function livelySkills(people: Employee[], random: Random, id: Id, today: string): void {
  for (const { row, post } of people) {
    const needed = neededSkills(post.designation);
    if (needed.length === 0 || !row.reporting_to_id) continue;
    row.skills = needed.map(([code, level]) => ({
      competency_id: id('competencies', code),
      level: Math.min(5, Math.max(1, level + random.int(-2, 1))),
      assessed_on: addDays(today, -random.int(30, 300)),
      assessed_by: row.reporting_to_id,
    }));
  }
}

/** One person on notice and six leavers; none of them still has reportees. */
function leavers(people: Employee[], random: Random, id: Id, today: string): void {
  const leading = new Set(people.map(({ row }) => row.reporting_to_id));
  const free = people.filter(
    ({ row, level }) => level === 5 && !leading.has(row.id) && (row.date_of_joining as string) < addDays(today, -400),
  );
  const step = Math.max(1, Math.floor(free.length / 8));
  for (const [index, { row }] of free
    .filter((_, at) => at % step === step - 1)
    .slice(0, 7)
    .entries()) {
    if (index === 0) {
      row.status = 'on_notice';
      row.resigned_on = addDays(today, -12);
      row.last_working_day = addDays(today, 18);
      continue;
    }
    const last = addDays(today, -random.int(20, 390));
    row.status = 'left';
    row.resigned_on = addDays(last, -30);
    row.last_working_day = last;
    row.date_of_leaving = last;
    row.leaving_reason_id = id('reason', `LV0${index}`);
  }
}

/** The heads of branches, departments, sub-departments and zones are the most senior people working there. */
function appointHeads(people: Employee[], rows: Map<string, Row[]>): void {
  const first = (test: (person: Employee) => boolean) =>
    people
      .filter((person) => person.row.status === 'active' && test(person))
      .sort((a, b) => a.level - b.level || a.row.id - b.row.id)[0]?.row.id ?? null;
  for (const branch of rows.get('branch') ?? []) branch.head_id = first(({ row }) => row.branch_id === branch.id);
  for (const department of rows.get('department') ?? [])
    department.head_id = first(({ row }) => row.department_id === department.id);
  for (const part of rows.get('subdepartment') ?? [])
    part.head_id = first(({ row }) => row.subdepartment_id === part.id);
  const sellers = people.filter(({ post }) => post.designation === 'SLM' || post.designation === 'STM');
  for (const [index, region] of (rows.get('region') ?? []).entries())
    region.head_id = sellers[index % Math.max(1, sellers.length)]?.row.id ?? null;
}

function delegations(staff: Staff, today: string): Omit<Row, 'id'>[] {
  const year = financialYear(today);
  const plan: [number, string, string, string, number, number, string, string | null, string][] = [
    [1, 'HSV', 'CHN', 'SRM', -4, 10, 'all', null, 'Annual leave'],
    [1, 'CFO', 'CHN', 'ACM', -60, -46, 'types', '500000.00', 'Audit visit in Hyderabad'],
    [2, 'HRT', 'MUM', 'STM', 12, 19, 'types', '200000.00', 'Training at the institute'],
    [3, 'HSL', 'KOL', 'SLM', -2, 3, 'all', '1000000.00', 'Trade fair in Delhi'],
  ];
  return plan.map(([company, from, branch, to, start, end, scope, limit, reason], index) => ({
    entity_id: company,
    number: `DEL/${year}/${String(plan.slice(0, index + 1).filter(([one]) => one === company).length).padStart(4, '0')}`,
    from_employee_id: staff.find(company, from, branch).row.id,
    to_employee_id: staff.find(company, to, branch).row.id,
    from_date: addDays(today, start),
    to_date: addDays(today, end),
    scope,
    transaction_types: scope === 'types' ? ['tis_inspection'] : [],
    amount_limit: limit,
    reason,
    notify: true,
    state: end < 0 ? 'expired' : start > 0 ? 'draft' : 'active',
  }));
}

function memberRoles(staff: Staff, id: Id, today: string): Omit<Row, 'id'>[] {
  const plan: [string, string, number, string, string, string][] = [
    ['SRV-TN', 'Service head – Tamil Nadu', 1, 'SRV', 'SRM', 'CHN'],
    ['SRV-CBE', 'Branch head – Coimbatore', 1, 'SRV', 'BRM', 'CBE'],
    ['SRV-MDU', 'Branch head – Madurai', 1, 'SRV', 'BRM', 'MDU'],
    ['SRV-BLR', 'Branch head – Bengaluru', 1, 'SRV', 'BRM', 'BLR'],
    ['SRV-HYD', 'Branch head – Hyderabad', 1, 'SRV', 'BRM', 'HYD'],
    ['SRV-KOC', 'Branch head – Kochi', 1, 'SRV', 'BRM', 'KOC'],
    ['DSP-CHN', 'Dispatch desk – Chennai', 1, 'CCR', 'DSP', 'CHN'],
    ['STO-CHN', 'Central store – Chennai', 1, 'STO', 'STK', 'CHN'],
    ['RET-TNG', 'Store head – T Nagar', 2, 'RET', 'STM', 'TNG'],
    ['RET-PUN', 'Store head – Pune', 2, 'RET', 'STM', 'PUN'],
    ['PLT-HDW', 'Plant head – Haridwar', 3, 'FOO', 'PLM', 'HDW'],
    ['PLT-BCM', 'Plant head – Bhadrachalam', 3, 'PAP', 'PLM', 'BCM'],
  ];
  return plan.map(([code, role_name, company, department, designation, branch]) => {
    const holder = staff.find(company, designation, branch);
    const since = [addDays(today, -700), holder.row.date_of_joining as string].sort().at(-1);
    return {
      entity_id: company,
      code,
      role_name,
      department_id: id('department', department, company),
      designation_id: id('designation', designation),
      function_id: holder.row.function_id,
      shared: false,
      holders: [{ employee_id: holder.row.id, from_date: since, share_percent: '100.0000' }],
    };
  });
}
