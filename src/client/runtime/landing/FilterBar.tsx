import { AddRegular, ChevronDownRegular, DismissRegular, FilterRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useState } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import { usePhone } from '../../app/session.ts';
import { fieldOf } from './cell_text.ts';
import type { FilterBarProps } from './filter_props.ts';
import { conditionWords } from './filter_words.ts';
import styles from './landing.module.css';
import type { Activity, Condition } from './list_address.ts';
import { isGroup } from './list_address.ts';
import { useLabels } from './use_labels.ts';

const FilterPopover = lazy(() => import('./FilterPopover.tsx'));
const FilterSheet = lazy(() => import('./FilterSheet.tsx'));

/** The open popup of a chip. */
interface Editing {
  target: HTMLElement;
  /** Index of the condition; null = a new one. */
  index: number | null;
  field: Field | null;
}

const activities: { value: Activity; label: string }[] = [
  { value: 'true', label: 'In use' },
  { value: 'false', label: 'Inactive' },
  { value: 'all', label: 'All' },
];

/** The conditions as chips: click to change, × to clear, "+ Filter" for another one. */
export function FilterBar(props: FilterBarProps) {
  const { screen, conditions, active, mine, onConditions, onActive, onAll } = props;
  const phone = usePhone();
  const labels = useLabels(conditions, screen);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [sheet, setSheet] = useState(false);

  const put = (index: number | null, condition: Condition | null) => {
    if (index === null) {
      if (condition) onConditions([...conditions, condition]);
    } else {
      onConditions(conditions.flatMap((one, place) => (place !== index ? [one] : condition ? [condition] : [])));
    }
    setEditing(null);
  };
  const quick = screen.filters
    .filter((name) => !conditions.some((condition) => condition[0] === name))
    .flatMap((name) => fieldOf(screen, name) ?? []);

  if (phone) {
    const set = conditions.length + (mine ? 1 : 0) + (active === 'true' ? 0 : 1);
    return (
      <>
        <button
          type="button"
          className={styles.chip}
          data-set={set > 0 ? '' : undefined}
          onClick={() => setSheet(true)}
        >
          <FilterRegular aria-hidden />
          {set > 0 ? `Filter (${set})` : 'Filter'}
        </button>
        {sheet && (
          <Suspense fallback={null}>
            <FilterSheet {...props} labels={labels} onClose={() => setSheet(false)} />
          </Suspense>
        )}
      </>
    );
  }

  return (
    <fieldset className={styles.chips} aria-label="Filters">
      {screen.kind !== 'view' && onActive && (
        <fieldset className={styles.segment} aria-label="Which records">
          {activities.map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={value === active} onClick={() => onActive(value)}>
              {label}
            </button>
          ))}
        </fieldset>
      )}
      {mine && (
        <span className={styles.chip} data-set="">
          <b>Mine</b>
          <button type="button" aria-label="Show everybody’s" title="Show everybody’s" onClick={onAll}>
            <DismissRegular />
          </button>
        </span>
      )}
      {conditions.map((condition, index) => {
        const { title, text } = conditionWords(condition, screen, labels);
        const field = isGroup(condition) ? null : (fieldOf(screen, condition[0]) ?? null);
        return (
          <span key={`${index} ${condition[0]}`} className={styles.chip} data-set="">
            <button
              type="button"
              disabled={!field}
              aria-haspopup="dialog"
              onClick={(event) => setEditing({ target: event.currentTarget, index, field })}
            >
              <b>{title}</b> <span title={text}>{text}</span>
            </button>
            <button type="button" aria-label={`Clear ${title}`} onClick={() => put(index, null)}>
              <DismissRegular />
            </button>
          </span>
        );
      })}
      {quick.map((field) => (
        <button
          key={field.name}
          type="button"
          className={styles.chip}
          aria-haspopup="dialog"
          onClick={(event) => setEditing({ target: event.currentTarget, index: null, field })}
        >
          {field.title}
          <ChevronDownRegular aria-hidden />
        </button>
      ))}
      <button
        type="button"
        className={styles.chip}
        data-quiet=""
        aria-haspopup="dialog"
        onClick={(event) => setEditing({ target: event.currentTarget, index: null, field: null })}
      >
        <AddRegular aria-hidden />
        Filter
      </button>
      {conditions.length > 0 && (
        <button type="button" className={styles.chip} data-quiet="" onClick={() => onConditions([])}>
          Clear all
        </button>
      )}
      {editing && (
        <Suspense fallback={null}>
          <FilterPopover
            key={`${editing.index} ${editing.field?.name}`}
            screen={screen}
            target={editing.target}
            field={editing.field}
            condition={editing.index === null ? null : (conditions[editing.index] ?? null)}
            onApply={(condition) => put(editing.index, condition)}
            onClose={() => setEditing(null)}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
