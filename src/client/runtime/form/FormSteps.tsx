import { Button } from '@fluentui/react-components';
import { ArrowLeftRegular, ArrowRightRegular, CheckmarkRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { RecordView } from './RecordView.tsx';
import type { FormStore } from './form_store.ts';
import type { OpenTab } from './layout_context.ts';
import styles from './form_steps.module.css';

/** A form whose tabs are steps: each is validated before the next, and the last page shows a summary. */
export default function FormSteps({
  store,
  layout: { tab, setTab, steps, reached, goOn },
  counts,
  children,
}: {
  store: FormStore;
  layout: OpenTab;
  /** Errors of each step. */
  counts: number[];
  children: ReactNode;
}) {
  const { screen } = store;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  // After a page change, screen readers announce the step, and the page scrolls to its top.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (document.activeElement?.closest('[data-field]')) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView?.({ block: 'nearest' });
  }, [tab]);
  const titles = [...screen.form.tabs.map(({ title }) => title), 'Summary'];
  const go = (to: number) => (to > tab && tab < steps ? goOn(to) : setTab(to));
  return (
    <div>
      <ol className={styles.steps} aria-label={`Steps of ${inSentence(screen.title)}`}>
        {titles.map((title, index) => {
          const count = counts[index] ?? 0;
          const done = index < reached && count === 0 && index !== tab;
          return (
            <li key={title} data-done={done || undefined} {...(index === tab && { 'aria-current': 'step' as const })}>
              <button type="button" disabled={index > reached} onClick={() => go(index)}>
                <span className={styles.number} aria-hidden>
                  {done ? <CheckmarkRegular /> : index + 1}
                </span>
                {title}
                {count > 0 && (
                  <span className={styles.count}>
                    {count} {count === 1 ? 'error' : 'errors'}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      <h2 ref={heading} tabIndex={-1} className={styles.heading}>
        {titles[tab]} <span>{tab < steps ? `Step ${tab + 1} of ${steps}` : `Check what you entered, then save.`}</span>
      </h2>
      {children}
      {tab === steps && <Summary store={store} onChange={setTab} />}
      <div className={styles.turn}>
        {tab > 0 && (
          <Button icon={<ArrowLeftRegular />} onClick={() => setTab(tab - 1)}>
            Back
          </Button>
        )}
        {tab < steps && (
          <Button icon={<ArrowRightRegular />} iconPosition="after" onClick={() => goOn(tab + 1)}>
            {tab + 1 < steps ? `On to ${inSentence(titles[tab + 1]!)}` : 'On to the summary'}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A summary of all entered values, by step, as they will be saved. */
function Summary({ store, onChange }: { store: FormStore; onChange: (step: number) => void }) {
  const { screen } = store;
  const values = useSyncExternalStore(store.subscribe, store.values);
  return (
    <>
      {screen.form.tabs.map((step, index) => (
        <section key={step.title} aria-label={step.title}>
          <div className={styles.part}>
            <h3>{step.title}</h3>
            <Button
              size="small"
              appearance="subtle"
              onClick={() => onChange(index)}
              aria-label={`Change ${step.title}`}
            >
              Change
            </Button>
          </div>
          <RecordView screen={{ ...screen, form: { tabs: [step] } }} record={values} />
        </section>
      ))}
    </>
  );
}
