import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Radio,
  RadioGroup,
} from '@fluentui/react-components';
import { AddRegular, ChevronRightRegular, DismissRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import { fieldOf } from './cell_text.ts';
import type { FilterBarProps } from './filter_props.ts';
import { FieldList, FilterEditor } from './FilterEditor.tsx';
import type { Labels } from './filter_words.ts';
import { conditionWords } from './filter_words.ts';
import styles from './landing.module.css';
import type { Activity, Condition } from './list_address.ts';
import { isGroup } from './list_address.ts';

/** All filters of a list on a phone. */
export default function FilterSheet(props: FilterBarProps & { labels: Labels; onClose: () => void }) {
  const { screen, conditions, active, mine, labels, onConditions, onActive, onAll, onClose } = props;
  const [step, setStep] = useState<{ index: number | null; field: Field | null } | null>(null);

  const apply = (condition: Condition | null) => {
    const index = step?.index ?? null;
    if (index !== null)
      onConditions(conditions.flatMap((one, place) => (place !== index ? [one] : condition ? [condition] : [])));
    else if (condition) onConditions([...conditions, condition]);
    setStep(null);
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.sheet}>
        <DialogBody>
          <DialogTitle>{step?.field ? `Filter by ${step.field.title}` : 'Filter'}</DialogTitle>
          <DialogContent>
            {step ? (
              step.field ? (
                <FilterEditor
                  screen={screen}
                  field={step.field}
                  condition={step.index === null ? null : (conditions[step.index] ?? null)}
                  onApply={apply}
                />
              ) : (
                <FieldList screen={screen} onChoose={(field) => setStep({ index: null, field })} />
              )
            ) : (
              <>
                {onActive && (
                  <RadioGroup
                    layout="horizontal"
                    aria-label="Which records"
                    value={active}
                    onChange={(_, { value }) => onActive(value as Activity)}
                  >
                    <Radio value="true" label="In use" />
                    <Radio value="false" label="Inactive" />
                    <Radio value="all" label="All" />
                  </RadioGroup>
                )}
                <ul className={styles.sheetList}>
                  {mine && (
                    <li>
                      <button type="button" disabled>
                        <b>Mine</b>
                      </button>
                      <button type="button" aria-label="Show everybody’s" onClick={onAll}>
                        <DismissRegular />
                      </button>
                    </li>
                  )}
                  {conditions.map((condition, index) => {
                    const { title, text } = conditionWords(condition, screen, labels);
                    const field = isGroup(condition) ? null : (fieldOf(screen, condition[0]) ?? null);
                    return (
                      <li key={`${index} ${condition[0]}`}>
                        <button type="button" disabled={!field} onClick={() => setStep({ index, field })}>
                          <b>{title}</b> {text}
                          <ChevronRightRegular aria-hidden />
                        </button>
                        <button
                          type="button"
                          aria-label={`Clear ${title}`}
                          onClick={() => onConditions(conditions.filter((_, place) => place !== index))}
                        >
                          <DismissRegular />
                        </button>
                      </li>
                    );
                  })}
                </ul>
                <Button icon={<AddRegular />} onClick={() => setStep({ index: null, field: null })}>
                  Add a filter
                </Button>
              </>
            )}
          </DialogContent>
          <DialogActions>
            {step ? (
              <Button onClick={() => setStep(null)}>Back</Button>
            ) : (
              <Button appearance="primary" onClick={onClose}>
                {onActive ? 'Show the list' : 'Done'}
              </Button>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
