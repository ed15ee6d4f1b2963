import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import { shownStates } from './shown_states.ts';
import styles from './step_bar.module.css';

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
