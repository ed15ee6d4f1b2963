import type { BranchPlan, CompanyPlan } from './places.ts';
import type { Employee, Post, Staff } from './staff.ts';

type Hire = (post: Post) => Employee;

function times(count: number, work: (index: number) => void): void {
  for (let index = 0; index < count; index += 1) work(index);
}

/** Acme Lifts: service by branch, five levels from the chairman to the technician. */
function hireLifts(hire: Hire): void {
  const chairman = hire({ designation: 'CHM', department: 'MGT', branch: 'CHN', gender: 'male' });
  const head = (designation: string, department: string) =>
    hire({ designation, department, branch: 'CHN', reportsTo: chairman });
  hire({ designation: 'CSE', department: 'MGT', branch: 'CHN', reportsTo: chairman, gender: 'female' });
  const service = head('HSV', 'SRV');
  const installation = head('HIN', 'INS');
  const sales = head('HSL', 'SAL');
  const supply = head('HSC', 'STO');
  const finance = head('CFO', 'ACC');
  const people = head('HHR', 'HRA');
  const it = head('HIT', 'ITS');
  const quality = head('HQA', 'QAS');

  const branches: [code: string, supervisors: number, technicians: number, trainees: number][] = [
    ['CHN', 4, 20, 4],
    ['CBE', 2, 10, 2],
    ['MDU', 1, 6, 1],
    ['BLR', 2, 10, 2],
    ['HYD', 2, 8, 2],
    ['KOC', 1, 6, 1],
  ];
  for (const [branch, supervisors, technicians, trainees] of branches) {
    const manager = hire({
      designation: branch === 'CHN' ? 'SRM' : 'BRM',
      department: 'SRV',
      branch,
      reportsTo: service,
    });
    const leads: Employee[] = [];
    times(supervisors, (n) =>
      leads.push(
        hire({
          designation: 'SUP',
          department: 'SRV',
          part: n % 3 === 2 ? 'Repairs' : 'Maintenance',
          branch,
          reportsTo: manager,
        }),
      ),
    );
    const leadOf = (n: number) => leads[n % leads.length] ?? manager;
    times(technicians, (n) =>
      hire({
        designation: 'TEC',
        department: 'SRV',
        part: n % 4 === 3 ? 'Repairs' : n % 10 === 9 ? 'Rescue desk' : 'Maintenance',
        branch,
        reportsTo: leadOf(n),
      }),
    );
    times(trainees, (n) =>
      hire({ designation: 'TRN', department: 'SRV', part: 'Maintenance', branch, reportsTo: leadOf(n) }),
    );
    const dispatcher = hire({ designation: 'DSP', department: 'CCR', part: 'Dispatch', branch, reportsTo: manager });
    times(branch === 'CHN' ? 5 : 1, () =>
      hire({ designation: 'CCE', department: 'CCR', part: 'Call desk', branch, reportsTo: dispatcher }),
    );
    hire({ designation: 'STK', department: 'STO', part: 'Stores', branch, reportsTo: supply });
  }
  for (const branch of ['CHN', 'BLR', 'HYD', 'KOC']) {
    const manager = hire({ designation: 'SLM', department: 'SAL', branch, reportsTo: sales });
    times(branch === 'CHN' ? 5 : 3, (n) =>
      hire({
        designation: 'SXE',
        department: 'SAL',
        part: n % 2 ? 'New equipment' : 'Contracts',
        branch,
        reportsTo: manager,
      }),
    );
  }
  for (const branch of ['CHN', 'BLR']) {
    const manager = hire({ designation: 'SRM', department: 'INS', branch, reportsTo: installation });
    times(2, (n) => {
      const lead = hire({
        designation: 'SUP',
        department: 'INS',
        part: n ? 'Modernisation' : 'New lifts',
        branch,
        reportsTo: manager,
      });
      times(6, () =>
        hire({
          designation: 'FIT',
          department: 'INS',
          part: n ? 'Modernisation' : 'New lifts',
          branch,
          reportsTo: lead,
        }),
      );
    });
  }
  for (const branch of ['CHN', 'BLR']) {
    const manager = hire({ designation: 'ACM', department: 'ACC', branch, reportsTo: finance });
    times(3, (n) => {
      const accountant = hire({
        designation: 'ACC',
        department: 'ACC',
        part: n === 2 ? 'Collections' : 'Billing',
        branch,
        reportsTo: manager,
      });
      hire({
        designation: 'AXE',
        department: 'ACC',
        part: n === 2 ? 'Collections' : 'Billing',
        branch,
        reportsTo: accountant,
      });
    });
  }
  const hr = hire({ designation: 'HRM', department: 'HRA', branch: 'CHN', reportsTo: people, gender: 'female' });
  times(4, () => hire({ designation: 'HRE', department: 'HRA', branch: 'CHN', reportsTo: hr }));
  times(4, () => hire({ designation: 'ITE', department: 'ITS', branch: 'CHN', reportsTo: it }));
  times(4, (n) => hire({ designation: 'QAE', department: 'QAS', branch: n < 2 ? 'CHN' : 'BLR', reportsTo: quality }));
  // The newest quality engineer has no manager, so that the view "Without a manager" has an entry.
  hire({ designation: 'QAE', department: 'QAS', branch: 'HYD' });
}

/** Acme Retail: head office in Mumbai and its stores. */
function hireRetail(hire: Hire): void {
  const chief = hire({ designation: 'CEO', department: 'MGT', branch: 'MUM', gender: 'female' });
  const head = (designation: string, department: string) =>
    hire({ designation, department, branch: 'MUM', reportsTo: chief });
  const stores = head('HRT', 'RET');
  const merchandise = head('HMR', 'MER');
  const finance = head('CFO', 'ACC');
  const people = head('HHR', 'HRA');
  const floors = ['Gold', 'Diamond', 'Gifts'];
  for (const [branch, associates] of [
    ['MUM', 18],
    ['PUN', 13],
    ['NGP', 9],
    ['TNG', 14],
  ] as const) {
    const manager = hire({ designation: 'STM', department: 'RET', branch, reportsTo: stores });
    const leads: Employee[] = [];
    times(branch === 'NGP' ? 2 : 3, (n) =>
      leads.push(
        hire({ designation: 'FLS', department: 'RET', part: floors[n] ?? 'Gold', branch, reportsTo: manager }),
      ),
    );
    times(associates, (n) => {
      const lead = leads[n % leads.length] ?? manager;
      hire({
        designation: n % 12 === 11 ? 'TRN' : 'SAS',
        department: 'RET',
        part: lead.post.part ?? 'Gold',
        branch,
        reportsTo: lead,
      });
    });
    const accountant = hire({ designation: 'ACC', department: 'ACC', branch, reportsTo: finance });
    hire({ designation: 'AXE', department: 'ACC', branch, reportsTo: accountant });
  }
  times(6, (n) =>
    hire({
      designation: 'SXE',
      department: 'MER',
      part: n % 2 ? 'Design' : 'Buying',
      branch: 'MUM',
      reportsTo: merchandise,
    }),
  );
  const hr = hire({ designation: 'HRM', department: 'HRA', branch: 'MUM', reportsTo: people });
  times(2, () => hire({ designation: 'HRE', department: 'HRA', branch: 'MUM', reportsTo: hr }));
}

/** Acme Consumer: four businesses with factories, sales and finance. */
function hireConsumer(hire: Hire): void {
  const chief = hire({ designation: 'CEO', department: 'MGT', branch: 'KOL', gender: 'male' });
  const finance = hire({ designation: 'CFO', department: 'ACC', branch: 'KOL', reportsTo: chief });
  const sales = hire({ designation: 'HSL', department: 'SLS', branch: 'KOL', reportsTo: chief });
  const people = hire({ designation: 'HHR', department: 'HRA', branch: 'KOL', reportsTo: chief });
  const works: [department: string, branch: string, shifts: string[]][] = [
    ['FOO', 'HDW', ['Staples', 'Snacks', 'Snacks']],
    ['PER', 'HDW', ['Soaps', 'Fragrances', 'Soaps']],
    ['PAP', 'BCM', ['Pulp', 'Board machine', 'Board machine']],
    ['CIG', 'KOL', ['', '', '']],
  ];
  for (const [department, branch, shifts] of works) {
    const business = hire({ designation: 'BUH', department, branch: 'KOL', reportsTo: chief });
    const plant = hire({ designation: 'PLM', department, branch, reportsTo: business });
    for (const part of shifts) {
      const lead = hire({ designation: 'SHS', department, ...(part && { part }), branch, reportsTo: plant });
      times(5, (n) =>
        hire({ designation: n === 4 ? 'TRN' : 'OPR', department, ...(part && { part }), branch, reportsTo: lead }),
      );
    }
  }
  for (const branch of ['KOL', 'DEL']) {
    const manager = hire({ designation: 'SLM', department: 'SLS', branch, reportsTo: sales });
    times(6, (n) =>
      hire({
        designation: 'SXE',
        department: 'SLS',
        part: n % 2 ? 'Modern trade' : 'General trade',
        branch,
        reportsTo: manager,
      }),
    );
  }
  const manager = hire({ designation: 'ACM', department: 'ACC', branch: 'KOL', reportsTo: finance });
  times(3, (n) => {
    const accountant = hire({
      designation: 'ACC',
      department: 'ACC',
      part: n ? 'Accounts payable' : 'Planning',
      branch: 'KOL',
      reportsTo: manager,
    });
    hire({ designation: 'AXE', department: 'ACC', part: 'Accounts payable', branch: 'KOL', reportsTo: accountant });
  });
  const hr = hire({ designation: 'HRM', department: 'HRA', branch: 'KOL', reportsTo: people });
  times(2, () => hire({ designation: 'HRE', department: 'HRA', branch: 'KOL', reportsTo: hr }));
}

/** Zenith Facilities: one company of thirty people. */
function hireZenith(hire: Hire): void {
  const chief = hire({ designation: 'CEO', department: 'MGT', branch: 'BLR' });
  for (const branch of ['BLR', 'MYS']) {
    const manager = hire({ designation: 'BRM', department: 'SRV', branch, reportsTo: chief });
    times(2, (n) => {
      const lead = hire({
        designation: 'SUP',
        department: 'SRV',
        part: n ? 'Housekeeping' : 'Electrical',
        branch,
        reportsTo: manager,
      });
      times(4, () =>
        hire({
          designation: 'FIT',
          department: 'SRV',
          part: n ? 'Housekeeping' : 'Electrical',
          branch,
          reportsTo: lead,
        }),
      );
    });
    const desk = hire({ designation: 'DSP', department: 'CCR', branch, reportsTo: manager });
    times(2, () => hire({ designation: 'CCE', department: 'CCR', branch, reportsTo: desk }));
  }
  hire({ designation: 'HRM', department: 'HRA', branch: 'BLR', reportsTo: chief });
}

const HIRING: Record<string, (hire: Hire) => void> = {
  ALP: hireLifts,
  ARP: hireRetail,
  ACL: hireConsumer,
  ZEN: hireZenith,
};

/** Fills every post of a company. */
export function hireAll(staff: Staff, company: CompanyPlan, branches: BranchPlan[]): void {
  HIRING[company.code]?.((post) => staff.hire(company, branches, post));
}
