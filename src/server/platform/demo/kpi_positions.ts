import { parts } from '../../../domain/performance/phasing.ts';

/** A KPI of a sheet with its weight and target. */
export interface Line {
  kpi: string;
  weight: string;
  year: string | null;
  /** Totals are divided by the months; other KPIs have this target in each month. */
  isSum?: boolean;
  range?: [string, string];
  /** The figure from which the way to the target is measured. */
  base?: string;
  /** Milestones: the month and day of the year that it is due on, as MM-DD. */
  dueOn?: string;
  /** The percentage of the target that earns the highest score. */
  stretch?: string;
  /** The code of the division that the line is limited to. */
  division?: string;
  /** The sheet that its figure counts into. */
  above?: number;
  /** Indexes of the months that have a target. */
  ends?: number[];
}

const sum = (kpi: string, weight: string, year: string): Line => ({ kpi, weight, year, isSum: true });
const level = (kpi: string, weight: string, year: string): Line => ({ kpi, weight, year });
const metric = (kpi: string, year: string): Line => sum(kpi, '0', year);

const UPTIME = (weight: string): Line => ({ kpi: 'UPTIME', weight, year: '99.2', base: '96' });
const RETURNS = (weight: string): Line => ({ kpi: 'RETURNS_FILED', weight, year: null });

const INSTALLATION: readonly Line[] = [
  sum('HANDOVERS', '30', '48'),
  metric('SNAGS', '96'),
  level('SNAGS_PER_LIFT', '25', '2'),
  level('INSTALL_DAYS', '25', '60'),
  level('ACCIDENTS', '10', '0'),
  level('ATTENDANCE', '10', '96'),
];
const SALES: readonly Line[] = [
  sum('SALES', '30', '96'),
  sum('CONTRACT_VALUE', '20', '7200000'),
  metric('QUOTES', '300'),
  level('WIN_RATE', '15', '33'),
  level('VALUE_PER_SALE', '10', '75000'),
  level('DISCOUNT_PCT', '10', '6'),
  level('COLL_PCT', '15', '92'),
];
const ACCOUNTS: readonly Line[] = [
  level('CLOSE_DAYS', '25', '5'),
  level('OVERDUE', '25', '4000000'),
  level('COLL_PCT', '15', '92'),
  level('LOW_CASH', '10', '12000000'),
  RETURNS('15'),
  level('AUDIT_POINTS', '10', '0'),
];
const SUPPLY: readonly Line[] = [
  level('STOCK_VALUE', '25', '9000000'),
  sum('PARTS_MISSING', '30', '60'),
  { ...sum('SAVINGS', '15', '1080000'), division: 'LIFT' },
  { ...sum('SAVINGS', '10', '720000'), division: 'MOD' },
  { kpi: 'STOCK_DAYS', weight: '10', year: null, range: ['30', '45'] },
  sum('ENERGY', '10', '42000'),
];
const PEOPLE: readonly Line[] = [
  level('HIRE_DAYS', '25', '45'),
  metric('HIRES', '36'),
  metric('HIRE_COST', '720000'),
  level('COST_PER_HIRE', '15', '20000'),
  sum('ATTRITION', '25', '12'),
  { kpi: 'TRAIN_DAYS', weight: '20', year: '40', isSum: true, ends: [2, 5, 8, 11] },
  RETURNS('15'),
];
const SYSTEMS: readonly Line[] = [
  level('SYS_UPTIME', '40', '99.5'),
  level('HELPDESK_H', '35', '6'),
  level('AUDIT_POINTS', '15', '0'),
  sum('ENERGY', '10', '30000'),
];
const QUALITY: readonly Line[] = [
  level('ACCIDENTS', '30', '0'),
  level('AUDIT_POINTS', '25', '0'),
  { kpi: 'ISO_AUDIT', weight: '15', year: null, dueOn: '01-31', ends: [11] },
  { kpi: 'SAFETY_TALKS', weight: '20', year: null },
  sum('ENERGY', '10', '30000'),
];
const SERVICE: readonly Line[] = [
  metric('VISITS_DUE', '1440'),
  metric('VISITS_DONE', '1380'),
  level('PM_PCT', '25', '95'),
  UPTIME('20'),
  level('RESPONSE_MIN', '20', '40'),
  level('ENTRAP_MIN', '10', '30'),
  sum('COMPLAINTS', '10', '48'),
  sum('ATTRITION', '5', '6'),
  level('ACCIDENTS', '10', '0'),
];

/** The KPIs of a position by the code of its designation; the weights of each add up to 100. */
export const POSITIONS: Readonly<Record<string, readonly Line[]>> = {
  TEC: [
    level('PM_ONTIME', '30', '95'),
    level('MTTR_H', '20', '3'),
    metric('CALLS', '420'),
    metric('FIRST_FIXES', '360'),
    level('FIRST_FIX_PCT', '10', '85'),
    sum('CALLBACKS', '10', '24'),
    level('REPEAT_PCT', '5', '6'),
    sum('COMPLAINTS', '15', '12'),
    level('ATTENDANCE', '10', '96'),
  ],
  SUP: [
    metric('VISITS_DUE', '720'),
    metric('VISITS_DONE', '690'),
    level('PM_PCT', '25', '95'),
    level('RESPONSE_MIN', '20', '40'),
    UPTIME('15'),
    sum('CALLBACKS', '10', '96'),
    sum('COMPLAINTS', '15', '24'),
    level('ACCIDENTS', '10', '0'),
    level('ATTENDANCE', '5', '96'),
  ],
  BRM: [
    level('COLL_PCT', '25', '92'),
    metric('RENEWALS_DUE', '120'),
    sum('RENEWALS', '10', '108'),
    level('RENEW_PCT', '15', '90'),
    sum('COMPLAINTS', '15', '48'),
    UPTIME('15'),
    level('ENTRAP_MIN', '10', '30'),
    sum('ATTRITION', '5', '6'),
    level('ACCIDENTS', '5', '0'),
  ],
  SRM: SERVICE,
  HIN: INSTALLATION,
  HSL: SALES,
  SLM: SALES,
  SXE: SALES,
  DSP: [
    level('RESPONSE_MIN', '40', '40'),
    metric('CALLS_RECEIVED', '4800'),
    metric('CALLS_ANSWERED', '4400'),
    level('ANSWER_PCT', '35', '90'),
    sum('COMPLAINTS', '15', '24'),
    level('ATTENDANCE', '10', '96'),
  ],
  HSC: SUPPLY,
  STK: SUPPLY,
  CFO: ACCOUNTS,
  ACM: ACCOUNTS,
  ACC: ACCOUNTS,
  HHR: PEOPLE,
  HRM: PEOPLE,
  ITE: SYSTEMS,
  HQA: QUALITY,
};

/** The KPIs of those who install lifts, where their position is also one of service. */
export const INSTALLERS = INSTALLATION;

/** The KPIs of a branch; those of its members with the same KPI count into it. */
export const BRANCH_LINES: readonly Line[] = [
  level('PM_ONTIME', '20', '95'),
  UPTIME('20'),
  level('RESPONSE_MIN', '20', '40'),
  { kpi: 'COMPLAINTS', weight: '20', year: null },
  level('ATTENDANCE', '10', '96'),
  level('ACCIDENTS', '10', '0'),
];
/** KPIs of members that count into their branch. */
export const OF_BRANCH: ReadonlySet<string> = new Set(BRANCH_LINES.map(({ kpi }) => kpi));

/** KPIs that are a part of another of the same sheet: no more calls are answered than received. */
export const PART_OF: Readonly<Record<string, string>> = {
  FIRST_FIXES: 'CALLS',
  VISITS_DONE: 'VISITS_DUE',
  RENEWALS: 'RENEWALS_DUE',
  CALLS_ANSWERED: 'CALLS_RECEIVED',
};

const column = (place: number) => `t${String(place + 1).padStart(2, '0')}`;

/**
 * The fields of a line of a sheet: the target of the year, and of each month or period that has one.
 * @param ids KPIs by their codes
 * @param lastDay of the financial year
 */
export function sheetLine(
  { kpi, weight, year, isSum, range, base, dueOn, stretch, ends, above }: Line,
  ids: ReadonlyMap<string, number>,
  lastDay: string,
) {
  const places = ends ?? Array.from({ length: 12 }, (_, at) => at);
  const targets =
    year === null
      ? []
      : isSum
        ? parts(
            year,
            places.map(() => 1),
            0,
          )
        : places.map(() => year);
  return {
    kpi_id: ids.get(kpi),
    weight,
    year_target: year,
    phasing: isSum ? 'equal' : 'manual',
    ...(above !== undefined && { parent_sheet_id: above }),
    ...(stretch !== undefined && { stretch_percent: stretch }),
    ...(range && { range_low: range[0], range_high: range[1] }),
    ...(base !== undefined && { base_value: base }),
    ...(dueOn !== undefined && { target_day: `${lastDay.slice(0, 4)}-${dueOn}` }),
    ...Object.fromEntries(targets.map((target, at) => [column(places[at]!), target])),
  };
}
