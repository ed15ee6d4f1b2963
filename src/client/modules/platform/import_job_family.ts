/** The list of one family of import jobs. */
export function familyAddress(family: string): string {
  return `/sync_job?filter=${encodeURIComponent(JSON.stringify(['family', 'eq', family]))}`;
}
