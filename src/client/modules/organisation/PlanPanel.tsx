import { Button } from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import { useMemo } from 'react';
import { formatDate } from '../../../descriptor/format.ts';
import type { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import { planEffect } from '../../../domain/organisation/reorganisation.ts';
import type { OpenPlan } from './open_plan.ts';
import styles from './org_chart.module.css';

/** Teams in the table; the list of moves has everybody. */
const TEAMS_SHOWN = 12;

const STATES: Record<string, string> = {
  draft: 'Nothing changes until the plan is carried out.',
  planned: 'It waits for its day.',
  applied: 'It was carried out.',
  dropped: 'It was dropped.',
};

const twoDigits = (value: number | null) => (value === null ? '–' : value.toFixed(2));

function Figures({ title, before, after }: { title: string; before: string | number; after: string | number }) {
  return (
    <tr className={before === after ? styles.faint : undefined}>
      <th scope="row">{title}</th>
      <td>{before}</td>
      <td>{after}</td>
    </tr>
  );
}

/** The moves of the open plan, and the figures before and after. */
export function PlanPanel({
  plan,
  now,
  then,
  mayChange,
  onShow,
  onRemove,
  onFinish,
  onLeave,
}: {
  plan: OpenPlan;
  now: ChartTree;
  then: ChartTree;
  mayChange: boolean;
  onShow: (id: number) => void;
  onRemove: (id: number) => void;
  onFinish: () => void;
  onLeave: () => void;
}) {
  const effect = useMemo(() => planEffect(now, then, plan.moves), [now, then, plan.moves]);
  const nameOf = (id: number | null) => (id === null ? 'nobody' : (now.people.get(id)?.name ?? 'a former member'));
  return (
    <section className={styles.person} aria-label="Plan">
      <h2>{plan.name || 'New plan'}</h2>
      <span className={styles.faint}>
        {plan.id !== null && `From ${formatDate(plan.from)}. `}
        {STATES[plan.status]}
      </span>
      {plan.moves.size === 0 ? (
        <p>Drag people onto their new managers, cut and paste them, or press “Change manager…”.</p>
      ) : (
        <>
          <ul className={styles.moves}>
            {[...plan.moves].map(([id, to]) => (
              <li key={id}>
                <button type="button" className={styles.link} onClick={() => onShow(id)}>
                  <span>{nameOf(id)}</span>
                  <span className={styles.faint}>
                    {nameOf(now.people.get(id)?.parent ?? null)} → {nameOf(to)}
                  </span>
                </button>
                {mayChange && (
                  <Button
                    appearance="subtle"
                    icon={<DismissRegular />}
                    aria-label={`Remove the move of ${nameOf(id)}`}
                    onClick={() => onRemove(id)}
                  />
                )}
              </li>
            ))}
          </ul>
          <div className={styles.figures}>
            <table aria-label="Before and after">
              <thead>
                <tr>
                  <th scope="col">Figure</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                <Figures title="Managers" before={effect.managers[0]} after={effect.managers[1]} />
                <Figures
                  title="Reports a manager"
                  before={twoDigits(effect.averageSpan[0])}
                  after={twoDigits(effect.averageSpan[1])}
                />
                <Figures title="Levels" before={effect.levels[0]} after={effect.levels[1]} />
                {effect.teams.slice(0, TEAMS_SHOWN).map(({ id, name, span, headCount }) => (
                  <Figures
                    key={id}
                    title={`${name}: direct / below`}
                    before={`${span[0]} / ${headCount[0]}`}
                    after={`${span[1]} / ${headCount[1]}`}
                  />
                ))}
              </tbody>
            </table>
            {effect.teams.length > TEAMS_SHOWN && (
              <span className={styles.faint}>and {effect.teams.length - TEAMS_SHOWN} more teams</span>
            )}
          </div>
        </>
      )}
      <div className={styles.acts}>
        {mayChange && (
          <Button appearance="primary" disabledFocusable={plan.moves.size === 0} onClick={onFinish}>
            Save or carry out…
          </Button>
        )}
        <Button appearance="subtle" onClick={onLeave}>
          Leave the plan
        </Button>
      </div>
    </section>
  );
}
