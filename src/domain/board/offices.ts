/** Kinds of companies in which somebody holds an office. */
export type OfficeClass = 'private' | 'private_of_public' | 'public' | 'listed' | 'llp' | 'foreign';

const COMPANIES: ReadonlySet<OfficeClass> = new Set(['private', 'private_of_public', 'public', 'listed']);
const PUBLIC: ReadonlySet<OfficeClass> = new Set(['private_of_public', 'public', 'listed']);

/** Offices counted against the limits of s. 165: a private company of a public one is public; LLPs and foreign bodies do not count. */
export function officesHeld(
  offices: readonly OfficeClass[],
  most = 20,
  mostPublic = 10,
): { total: number; public: number; over: number; public_over: number } {
  const total = offices.filter((one) => COMPANIES.has(one)).length;
  const inPublic = offices.filter((one) => PUBLIC.has(one)).length;
  return {
    total,
    public: inPublic,
    over: Math.max(0, total - most),
    public_over: Math.max(0, inPublic - mostPublic),
  };
}
