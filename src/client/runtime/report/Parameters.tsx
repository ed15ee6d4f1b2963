import { Button } from '@fluentui/react-components';
import { FilterRegular } from '@fluentui/react-icons';
import { Fragment, useState } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import type { ApiError } from '../../api/http.ts';
import { usePhone } from '../../app/session.ts';
import { dayParameters } from '../../../domain/relative_days.ts';
import { Parameter } from './Parameter.tsx';
import { PeriodChoice } from './PeriodChoice.tsx';
import { chosenWords } from './chosen_words.ts';
import type { Chosen } from './report_view.ts';
import { written } from './report_view.ts';
import styles from './report.module.css';

/** The choices of a report's or dashboard's reader; behind a button on a phone. */
export function Parameters({
  label,
  fields,
  defaults,
  chosen,
  used,
  wrong,
  onChoose,
}: {
  label: string;
  fields: readonly Field[];
  /** Their defaults. */
  defaults?: Readonly<Record<string, unknown>> | undefined;
  chosen: Chosen;
  used: Readonly<Record<string, unknown>>;
  wrong: ApiError | null;
  onChoose: (next: Chosen) => void;
}) {
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  const count = Object.keys(chosen).length;
  const days = dayParameters(fields);
  const change = (field: Field, value: unknown) => {
    const { [field.name]: _before, ...rest } = chosen;
    const text = written(value, defaults?.[field.name] ?? field.begins ?? field.default);
    onChoose(text === null ? rest : { ...rest, [field.name]: text });
  };
  if (phone && !open)
    return (
      <>
        <Button className={styles.toggle} icon={<FilterRegular />} onClick={() => setOpen(true)}>
          Choose{count > 0 && ` (${count})`}
        </Button>
        {count > 0 && <p className={styles.description}>{chosenWords({ parameters: fields }, chosen).join(' · ')}</p>}
      </>
    );
  return (
    <div className={styles.parameters} role="group" aria-label={label}>
      {fields.map((field) => {
        const begun = days.find(({ from, to }) => (from ?? to) === field.name);
        return (
          <Fragment key={field.name}>
            {begun && (
              <PeriodChoice
                days={begun}
                title={begun.from === null ? `${field.title}: fixed or relative` : periodTitle(field.title)}
                chosen={chosen}
                used={used}
                onChoose={onChoose}
              />
            )}
            <Parameter
              field={field}
              value={used[field.name]}
              problem={wrong?.field === field.name ? wrong.message : null}
              onChange={(value) => change(field, value)}
            />
          </Fragment>
        );
      })}
      {count > 0 && (
        <Button appearance="subtle" className={styles.clear} onClick={() => onChoose({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** "Posted on, from" is the start of "Posted on"; "From" for a period without a name. */
const periodTitle = (title: string): string => title.replace(/(,? |^)from$/i, '') || 'Period';
