/** The labels of the age bands, such as "31–60", from the policy's limits. */
export function bucketTitles(bounds: readonly number[]): string[] {
  return ['Not due', ...bounds.map((to, at) => `${(bounds[at - 1] ?? 0) + 1}–${to}`), `Over ${bounds.at(-1)!}`];
}

/** The number of the band of a number of days late: 0 = not due (C16). */
export const bucketSql = (late: string, bounds: readonly number[]): string =>
  `case when ${late} <= 0 then 0 ${bounds.map((bound, place) => `when ${late} <= ${bound} then ${place + 1}`).join(' ')} else ${bounds.length + 1} end`;
