import { faultOfFacts, holdsForFacts } from '../act/condition.ts';

/** What the conditions of acts may ask of a company. */
export interface CompanyProfile {
  /** Members of staff who have not left. */
  employees: number;
  /** Branches in use. */
  branches: number;
  /** Turnover in crore rupees, at least: the lower end of the highest band of its registrations. */
  turnover: number;
  gst_registered: boolean;
  /** Has a TAN. */
  deducts_tax: boolean;
  /** Has a factory licence. */
  factory: boolean;
  /** Its CIN begins with L. */
  listed: boolean;
}

const NAMES: readonly string[] = [
  'employees',
  'branches',
  'turnover',
  'gst_registered',
  'deducts_tax',
  'factory',
  'listed',
] satisfies (keyof CompanyProfile)[];

/** What is wrong with the condition of an act; null = nothing. */
export const faultOfCondition = (condition: string): string | null => faultOfFacts(condition, NAMES, 'a company');

/** Whether an act applies to a company. Without a condition it does; a condition that cannot be read keeps nobody from filing. */
export const appliesTo = (condition: string | null, profile: CompanyProfile): boolean =>
  condition === null ||
  condition.trim() === '' ||
  faultOfCondition(condition) !== null ||
  holdsForFacts(condition, profile);

/** The company in a few words, as of the day on which acts were compared with it. */
export function profileInWords(profile: CompanyProfile): string {
  const is = (value: boolean, words: string) => (value ? [words] : []);
  return [
    `${profile.employees} employees`,
    `${profile.branches} branches`,
    ...(profile.turnover > 0 ? [`turnover of ${profile.turnover} crore rupees and more`] : []),
    ...is(profile.gst_registered, 'GST'),
    ...is(profile.deducts_tax, 'TAN'),
    ...is(profile.factory, 'factory'),
    ...is(profile.listed, 'listed'),
  ].join(', ');
}
