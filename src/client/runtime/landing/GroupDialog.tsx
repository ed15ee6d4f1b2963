import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Select,
} from '@fluentui/react-components';
import { useState } from 'react';
import { canGroup } from '../../../descriptor/list_groups.ts';
import type { Screen } from '../../../descriptor/types.ts';
import styles from './landing.module.css';

/** Chooses the field that groups a list; none = the ungrouped list. */
export default function GroupDialog({
  screen,
  by,
  onChoose,
  onClose,
}: {
  screen: Screen;
  by: string | null;
  onChoose: (by: string | null) => void;
  onClose: () => void;
}) {
  const fields = screen.fields.filter(canGroup).toSorted((a, b) => a.title.localeCompare(b.title));
  const [chosen, setChosen] = useState(by ?? '');
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onChoose(chosen === '' ? null : chosen);
            onClose();
          }}
        >
          <DialogBody>
            <DialogTitle>Group by</DialogTitle>
            <DialogContent className={styles.dialogFields}>
              <Field
                label="Column"
                hint="The columns that are shown and hold amounts or quantities are added up for each group."
              >
                <Select value={chosen} onChange={(_, { value }) => setChosen(value)}>
                  <option value="">No groups</option>
                  {fields.map(({ name, title, type }) => (
                    <option key={name} value={name}>
                      {type === 'date' || type === 'datetime' ? `${title}, by month` : title}
                    </option>
                  ))}
                </Select>
              </Field>
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit">
                Apply
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
