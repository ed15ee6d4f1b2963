import type { State, Workflow } from '../../../descriptor/workflow.ts';

/** The states in the bar: the normal path of records, and the current state. */
export function shownStates({ states, transitions }: Workflow, current: State): State[] {
  const way = [states[0]!];
  // From each state along its first transition to a state not yet on the path.
  for (let at = way[0]; at;) {
    const next = transitions
      .filter(({ from, to, amend }) => from.includes(at!.name) && to !== null && amend === undefined)
      .map(({ to }) => states.find(({ name }) => name === to))
      .find((state) => state && state.is !== 'cancelled' && !state.aside && !way.includes(state));
    if (next) way.push(next);
    at = next;
  }
  if (way.includes(current)) return way;
  if (current.is !== 'open') return [...way.filter(({ is }) => is === 'open'), current];
  // A record that was sent back repeats the steps from the state to which it returns.
  const back = current.aside
    ? transitions
        .filter(({ from }) => from.includes(current.name))
        .map(({ to }) => way.findIndex(({ name }) => name === to))
        .filter((place) => place > 0)
    : [];
  if (back.length > 0) return way.toSpliced(Math.min(...back), 0, current);
  const place = (state: State) => states.indexOf(state);
  return [...way, current].toSorted((a, b) => place(a) - place(b));
}
