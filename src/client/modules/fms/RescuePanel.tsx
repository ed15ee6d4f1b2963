import { useState } from 'react';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { BigButton } from './BigButton.tsx';
import { positionNow } from '../../runtime/fields/position.ts';
import type { VisitProps } from './visit_props.ts';
import { SiteCard } from './SiteCard.tsx';
import styles from './visit.module.css';

/** Trapped people: nothing delays their rescue, and on site "All out" is the only next step. */
export function RescuePanel({ screen, record, take, reload }: VisitProps) {
  const [inside, setInside] = useState(Number(record.trapped_count ?? 1));
  const [injured, setInjured] = useState(0);
  const [busy, setBusy] = useState(false);
  const offered = (record._can as OfferedStep[] | undefined) ?? [];
  const may = (step: string) => offered.some(({ name, blocked }) => name === step && blocked === null);
  const press = (step: string, asked?: Record<string, unknown>) => {
    setBusy(true);
    void take(step, asked).finally(() => setBusy(false));
  };
  const arrive = async () => {
    setBusy(true);
    const fix = await positionNow();
    await take('arrive', { arrive_geo: fix, ...(fix === null && { arrive_note: 'Rescue: no position.' }) });
    setBusy(false);
    reload();
  };
  const isThere = record.status === 'attending';
  return (
    <>
      <h2>People are inside the lift.</h2>
      {!isThere && <SiteCard record={record} />}
      {!isThere && may('take') && (
        <BigButton busy={busy} onPress={() => press('take')}>
          I will go
        </BigButton>
      )}
      {may('accept') && (
        <BigButton busy={busy} onPress={() => press('accept')}>
          Accept
        </BigButton>
      )}
      {may('go') && (
        <BigButton busy={busy} onPress={() => press('go')}>
          Go
        </BigButton>
      )}
      {may('arrive') && (
        <BigButton busy={busy} onPress={() => void arrive()}>
          I am there
        </BigButton>
      )}
      {isThere && (
        <section className={styles.card} aria-label="All out">
          <Count
            title="People freed"
            value={inside}
            least={1}
            onChange={(n) => (setInside(n), setInjured(Math.min(injured, n)))}
          />
          <Count title="Injured" value={injured} least={0} most={inside} onChange={setInjured} />
          {injured > 0 && <p className={styles.wrong}>Call 108 for an ambulance first.</p>}
        </section>
      )}
      {isThere && (
        <div className={styles.bar}>
          <BigButton busy={busy} onPress={() => press('all_out', { trapped_count: inside, injured_count: injured })}>
            {screen.workflow!.transitions.find(({ name }) => name === 'all_out')!.title}
          </BigButton>
        </div>
      )}
    </>
  );
}

function Count({
  title,
  value,
  least,
  most = 60,
  onChange,
}: {
  title: string;
  value: number;
  least: number;
  most?: number;
  onChange: (value: number) => void;
}) {
  return (
    <div role="group" aria-label={title}>
      <p>{title}</p>
      <div className={styles.stepper}>
        <button
          type="button"
          className={styles.big}
          aria-label={`${title}: one less`}
          disabled={value <= least}
          onClick={() => onChange(value - 1)}
        >
          −
        </button>
        <output>{value}</output>
        <button
          type="button"
          className={styles.big}
          aria-label={`${title}: one more`}
          disabled={value >= most}
          onClick={() => onChange(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  );
}
