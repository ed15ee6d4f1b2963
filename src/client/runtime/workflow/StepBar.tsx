import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { State, Workflow } from '../../../descriptor/workflow.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import styles from './step_bar.module.css';

/** The states in the bar: the normal path of records, and the current state. */
function shownStates(workflow: Workflow, current: State): State[] {
  const way = [workflow.states[0]!];
  // From each state along its first transition to a state not yet on the path.
  for (let at = way[0]; at;) {
    const next = workflow.transitions
      .filter(({ from, to, amend }) => from.includes(at!.name) && to !== null && amend === undefined)
      .map(({ to }) => workflow.states.find(({ name }) => name === to))
      .find((state) => state && state.is !== 'cancelled' && !state.aside && !way.includes(state));
    if (next) way.push(next);
    at = next;
  }
  if (way.includes(current)) return way;
  const open = way.filter(({ is }) => is === 'open');
  if (current.is !== 'open') return [...open, current];
  const place = (state: State) => workflow.states.indexOf(state);
  return [...open, current].toSorted((a, b) => place(a) - place(b));
}

/** The state of a record on its path, above the record. */
export default function StepBar({ screen, record }: { screen: Screen; record: WireRecord }) {
  const workflow = screen.workflow!;
  const current = stateOf(workflow, record);
  const states = shownStates(workflow, current);
  const at = states.indexOf(current);
  return (
    <ol className={styles.bar} aria-label={`Steps of the ${screen.title.toLowerCase()}`}>
      {states.map((state, index) => (
        <li
          key={state.name}
          className={styles.step}
          data-place={index < at ? 'before' : index === at ? 'now' : 'after'}
          data-colour={index === at ? state.colour : undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className={styles.mark} aria-hidden="true">
            {index < at ? '✓' : index + 1}
          </span>
          <span className={styles.title}>{state.title}</span>
        </li>
      ))}
    </ol>
  );
}
