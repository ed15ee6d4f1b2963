import { useState } from 'react';
import { BigButton, BigChoice } from './BigButton.tsx';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

const POINTS = [
  ['barricade', 'Barricades stand at the landings'],
  ['main_switch', 'Main switch is off and locked'],
  ['car_position', 'I know where the car stands'],
] as const;

/** Safety first: three taps before any work. */
export function SafeStep({ take }: VisitProps) {
  const [done, setDone] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const toggle = (point: string) =>
    setDone((old) => (old.includes(point) ? old.filter((one) => one !== point) : [...old, point]));
  return (
    <>
      <section className={styles.card} aria-label="Safe first">
        <h2>Safe first</h2>
        {POINTS.map(([point, words]) => (
          <BigChoice key={point} chosen={done.includes(point)} onPress={() => toggle(point)}>
            {words}
          </BigChoice>
        ))}
      </section>
      <div className={styles.bar}>
        <BigButton
          main
          busy={busy}
          disabled={done.length < POINTS.length}
          onPress={() => (setBusy(true), void take('make_safe', { isolation: done }).finally(() => setBusy(false)))}
        >
          It is safe: begin
        </BigButton>
      </div>
    </>
  );
}
