/**
 * The condition for a term in office: today by its state, on an earlier day by its dates. `day`: the placeholder of the
 * earlier day; null = today.
 */
export const runsOn = (term: string, day: string | null): string =>
  day === null
    ? `${term}.state = 'active'`
    : `${term}.state in ('active', 'ended') and ${term}.from_date <= ${day}::date and coalesce(${term}.ended_on, ${term}.until_date, ${day}::date) >= ${day}::date`;

/** The condition for a seat without a holder, on the same terms. */
export const vacantOn = (seat: string, day: string | null): string =>
  day === null
    ? `${seat}.holder_id is null and ${seat}.abolished_on is null`
    : `${seat}.sanctioned_on <= ${day}::date and (${seat}.abolished_on is null or ${seat}.abolished_on > ${day}::date)
       and not exists (select 1 from {board_tenure} h where h.seat_id = ${seat}.id and h.active and ${runsOn('h', day)})`;
