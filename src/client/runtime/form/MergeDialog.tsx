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
import { useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { TableHead } from '../../app/table_head.tsx';
import { FieldValue } from '../fields/display.tsx';
import styles from './form.module.css';
import { draftTime } from './kept_draft.ts';
import type { OpenMerge } from './use_form.ts';

/** Two people changed the same fields: one value of each is chosen, then saved. */
export default function MergeDialog({
  merging,
  screen,
  onDecide,
}: {
  merging: OpenMerge;
  screen: Screen;
  onDecide: (theirs: ReadonlySet<string> | null) => void;
}) {
  const { conflicts, theirs, values, by, at, taken } = merging;
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set());
  const choose = (field: string, choice: string) => {
    const next = new Set(given);
    if (choice === 'theirs') next.add(field);
    else next.delete(field);
    setGiven(next);
  };
  return (
    <Dialog open modalType="alert">
      <DialogSurface className={styles.mergeDialog ?? ''}>
        <DialogBody>
          <DialogTitle>
            {by} changed this {inSentence(screen.title)}
            {at === '' ? '' : ` at ${draftTime(at)}`}
          </DialogTitle>
          <DialogContent>
            <p className={styles.mergeText}>
              {conflicts.length === 1 ? 'You both changed one field.' : `You both changed ${conflicts.length} fields.`}{' '}
              Choose the values to keep.
              {taken.length > 0 &&
                ` What only ${by} changed is kept as well: ${taken.map((field) => field.title).join(', ')}.`}
            </p>
            <table className={styles.mergeTable}>
              <TableHead columns={['Field', 'Your value', 'Their value']} />
              <tbody>
                {conflicts.map(({ field, mine, theirs: other }) => (
                  <tr key={field.name}>
                    <th scope="row">{field.title}</th>
                    <td colSpan={2}>
                      <RadioGroup
                        className={styles.mergeChoice ?? ''}
                        layout="horizontal"
                        aria-label={field.title}
                        value={given.has(field.name) ? 'theirs' : 'mine'}
                        onChange={(_, { value }) => choose(field.name, value)}
                      >
                        <Radio value="mine" label={<FieldValue field={field} value={mine} record={values} plain />} />
                        <Radio
                          value="theirs"
                          label={<FieldValue field={field} value={other} record={theirs} plain />}
                        />
                      </RadioGroup>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </DialogContent>
          <DialogActions className={styles.mergeButtons ?? ''}>
            <Button onClick={() => onDecide(null)}>Back to the form</Button>
            <Button onClick={() => onDecide(new Set(conflicts.map(({ field }) => field.name)))}>Take all theirs</Button>
            <Button appearance="primary" onClick={() => onDecide(given)}>
              Save
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
