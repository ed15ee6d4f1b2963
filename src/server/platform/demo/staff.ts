import { addDays, addMonths } from './dates.ts';
import { DESIGNATIONS, GRADES } from './masters.ts';
import { nameFor } from './names.ts';
import type { BranchPlan, CompanyPlan } from './places.ts';
import type { Random } from './random.ts';
import type { Row } from './shapes.ts';

export interface Post {
  designation: string;
  department: string;
  /** Name of the sub-department. */
  part?: string;
  branch: string;
  reportsTo?: Employee;
  gender?: 'male' | 'female';
}

export interface Employee {
  row: Row;
  post: Post;
  level: number;
  company: CompanyPlan;
}

/** The age range of people at a level. */
const AGES: Record<number, [number, number]> = { 1: [55, 63], 2: [45, 57], 3: [36, 50], 4: [29, 45], 5: [22, 38] };
const BLOOD = ['A+', 'A+', 'B+', 'B+', 'B+', 'O+', 'O+', 'O+', 'AB+', 'A-', 'B-', 'O-', 'AB-'];
const BANKS = ['HDFC', 'ICIC', 'SBIN', 'UTIB', 'CNRB', 'IOBA', 'BARB', 'KKBK'];
const STREETS = [
  'Gandhi Street',
  'Nehru Nagar',
  'Lake View Road',
  'Temple Street',
  'Station Road',
  'Park Avenue',
  'Anna Nagar',
  'Shastri Nagar',
  'Ring Road',
  'Market Road',
];
const DEGREES: Record<number, [string, string][]> = {
  1: [
    ['B.E. Mechanical', 'College of Engineering, Guindy'],
    ['MBA', 'IIM Ahmedabad'],
  ],
  2: [
    ['B.E. Electrical', 'NIT Tiruchirappalli'],
    ['MBA', 'XLRI Jamshedpur'],
    ['Chartered Accountant', 'ICAI'],
  ],
  3: [
    ['B.E. Electrical', 'PSG College of Technology'],
    ['MBA', 'Symbiosis Pune'],
    ['B.Com.', 'University of Madras'],
  ],
  4: [
    ['Diploma in Electrical Engineering', 'Government Polytechnic'],
    ['B.Com.', 'Bangalore University'],
    ['B.A.', 'University of Mumbai'],
  ],
  5: [
    ['ITI Electrician', 'Government ITI'],
    ['ITI Fitter', 'Government ITI'],
    ['Higher secondary', 'State Board'],
    ['B.Com.', 'Calcutta University'],
  ],
};

export interface StaffIds {
  branch(company: number, code: string): number;
  department(company: number, code: string): number;
  part(company: number, department: string, name: string): number;
  designation(code: string): number;
  grade(code: string): number;
  functionOf(company: number, department: string): number;
}

/** Hires people one by one; the same calls in the same order generate the same people. */
export class Staff {
  readonly people: Employee[] = [];
  readonly #random: Random;
  readonly #today: string;
  readonly #ids: StaffIds;
  readonly #country: number;
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<number, number>();

  constructor(random: Random, today: string, ids: StaffIds, country: number) {
    this.#random = random;
    this.#today = today;
    this.#ids = ids;
    this.#country = country;
  }

  hire(company: CompanyPlan, branches: BranchPlan[], post: Post): Employee {
    const random = this.#random;
    const branch = branches.find(({ code, company: of }) => code === post.branch && of === company.id);
    const designation = DESIGNATIONS.find(([code]) => code === post.designation);
    if (!branch || !designation) throw new Error(`No branch ${post.branch} or designation ${post.designation}.`);
    const [, , , gradeCode, level] = designation;
    const grade = GRADES.find(([code]) => code === gradeCode);
    if (!grade) throw new Error(`No grade ${gradeCode}.`);

    const field = ['TEC', 'FIT', 'OPR', 'SHS', 'SUP'].includes(post.designation);
    const name = nameFor(
      random,
      branch.state,
      post.gender === 'female' ? 1 : post.gender === 'male' ? 0 : field ? 0.06 : 0.38,
    );
    const [youngest, oldest] = AGES[level] ?? [22, 40];
    const trainee = post.designation === 'TRN';
    const dob = addDays(
      this.#today,
      -Math.round(365.25 * (trainee ? random.int(19, 23) : random.int(youngest, oldest))) - random.int(0, 364),
    );
    const joined = this.#joining(dob, branch, level, trainee);
    const probationMonths = grade[6];
    const probationEnd = addMonths(joined, probationMonths);
    const onProbation = probationEnd > this.#today;
    const type = trainee
      ? 'trainee'
      : onProbation && probationMonths > 0
        ? 'probation'
        : random.chance(0.04) && level === 5
          ? 'contract'
          : 'permanent';
    const pay = Math.round(random.int(grade[3], grade[4]) / 12 / 100) * 100;
    const number = (this.#numbers.get(company.id) ?? 0) + 1;
    this.#numbers.set(company.id, number);
    const id = this.people.length + 1;

    const row: Row = {
      id,
      entity_id: company.id,
      empno: `${company.code.charAt(1) === 'L' ? 'L' : company.code.charAt(1) === 'R' ? 'R' : company.code.charAt(0) === 'Z' ? 'Z' : 'C'}${String(number).padStart(4, '0')}`,
      title: name.gender === 'male' ? 'Mr' : 'Ms',
      first_name: name.first,
      last_name: name.last,
      name: `${name.first} ${name.last}`,
      gender: name.gender,
      dob,
      blood_group: random.pick(BLOOD),
      marital_status: dob < addDays(this.#today, -11000) ? 'married' : random.chance(0.4) ? 'married' : 'single',
      nationality: this.#country,
      work_email: this.#unique(`${name.first}.${name.last}`.toLowerCase(), (stem) => `${stem}@${company.domain}`),
      mobile: this.#mobile(),
      current_address: `${random.int(1, 240)}, ${random.pick(STREETS)}, ${branch.city} ${branch.pincode}`,
      date_of_joining: joined,
      employment_type: type,
      probation_months: probationMonths,
      probation_end: probationEnd,
      confirmed_on: type === 'permanent' ? probationEnd : null,
      contract_end: type === 'contract' || type === 'trainee' ? addMonths(this.#today, random.int(2, 11)) : null,
      branch_id: this.#ids.branch(company.id, branch.code),
      department_id: this.#ids.department(company.id, post.department),
      subdepartment_id: post.part ? this.#ids.part(company.id, post.department, post.part) : null,
      function_id: this.#ids.functionOf(company.id, post.department),
      designation_id: this.#ids.designation(post.designation),
      grade_id: this.#ids.grade(gradeCode),
      reporting_to_id: post.reportsTo?.row.id ?? null,
      cost_centre: `${company.code}-${post.department}`,
      pan: `${random.letters(3)}P${name.last.charAt(0).toUpperCase()}${random.digits(4)}${random.letters(1)}`,
      aadhaar_last4: random.digits(4),
      uan: `10${random.digits(10)}`,
      bank_account: random.digits(14),
      ifsc: `${random.pick(BANKS)}0${random.digits(6)}`,
      monthly_ctc: `${pay}.00`,
      is_board_member: level === 1,
      status: 'active',
      emergency: [
        {
          name: `${nameFor(random, branch.state, name.gender === 'male' ? 1 : 0).first} ${name.last}`,
          relation: random.pick(['Spouse', 'Father', 'Mother', 'Brother', 'Sister']),
          phone: this.#mobile(),
        },
      ],
      qualifications: this.#degrees(level, dob),
    };
    const employee = { row, post, level, company };
    this.people.push(employee);
    return employee;
  }

  find(company: number, designation: string, branch?: string): Employee {
    const found = this.people.find(
      ({ company: { id }, post }) =>
        id === company && post.designation === designation && (!branch || post.branch === branch),
    );
    if (!found) throw new Error(`Nobody is ${designation} in company ${company}.`);
    return found;
  }

  #joining(dob: string, branch: BranchPlan, level: number, trainee: boolean): string {
    if (trainee) return addDays(this.#today, -this.#random.int(20, 200));
    const earliest =
      [
        addDays(dob, 365 * 21 + 5),
        `${branch.opened}-04-01`,
        addDays(this.#today, -365 * (level <= 2 ? 24 : level === 3 ? 18 : 12)),
      ]
        .sort()
        .at(-1) ?? this.#today;
    const days = Math.floor((Date.parse(this.#today) - Date.parse(earliest)) / 86_400_000);
    return addDays(this.#today, -this.#random.int(15, Math.max(days, 16)));
  }

  #degrees(level: number, dob: string): Record<string, unknown>[] {
    const [degree, institution] = this.#random.pick(DEGREES[level] ?? DEGREES[5] ?? []);
    return [
      {
        degree,
        institution,
        year: Number(dob.slice(0, 4)) + (level === 5 ? 19 : 22),
        score: `${this.#random.int(58, 92)} %`,
      },
    ];
  }

  #mobile(): string {
    for (;;) {
      const number = `+91${this.#random.pick(['98', '97', '96', '94', '90', '88', '70', '63'])}${this.#random.digits(8)}`;
      if (!this.#taken.has(number)) {
        this.#taken.add(number);
        return number;
      }
    }
  }

  #unique(stem: string, write: (stem: string) => string): string {
    for (let count = 1; ; count += 1) {
      const text = write(count === 1 ? stem : `${stem}${count}`);
      if (!this.#taken.has(text)) {
        this.#taken.add(text);
        return text;
      }
    }
  }
}
