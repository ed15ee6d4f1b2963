/** SQL of the id of the rating scheme that appraisals follow by default; `table` is that of rating schemes. */
export const usualSchemeSql = (table: string): string =>
  `(select r.id from ${table} r where r.active and r.is_default and r.applies_to = 'appraisal' order by r.id limit 1)`;
