/** The list of import jobs that belong together. */
export function familyAddress(family: string): string {
  return `/sync_job?filter=${encodeURIComponent(JSON.stringify(['family', 'eq', family]))}`;
}
