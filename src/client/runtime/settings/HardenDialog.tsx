import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { ArrowRightRegular } from '@fluentui/react-icons';
import type { Screen } from '../../../descriptor/types.ts';
import type { Values } from '../form/values.ts';
import { settingWords } from './SettingNote.tsx';
import type { ServerDecision, UnsafeSetting } from './setting_sources.ts';
import styles from './settings.module.css';

interface HardenProps {
  screen: Screen;
  unsafe: UnsafeSetting[];
  server: Record<string, ServerDecision>;
  /** Other changes in the form will be saved with it. */
  dirty: boolean;
  onHarden: (safe: Values) => void;
  onClose: () => void;
}

/** Shown before all settings become safe at once: each change, and its effect on people. */
export default function HardenDialog({ screen, unsafe, server, dirty, onHarden, onClose }: HardenProps) {
  const open = unsafe.filter(({ field }) => server[field.name]?.value === undefined);
  const decided = screen.fields.filter((field) => field.risk && server[field.name]?.value !== undefined);
  return (
    <Dialog open onOpenChange={(_, { open: stays }) => !stays && onClose()}>
      <DialogSurface className={styles.wide}>
        <DialogBody>
          <DialogTitle>
            Harden: {open.length === 1 ? 'one setting becomes' : `${open.length} settings become`} safe
          </DialogTitle>
          <DialogContent>
            They hold from the next call on, for everybody.{dirty && ' What you changed before is saved with them.'}
            <ul className={styles.changes}>
              {open.map(({ field, from, safe, effect }) => (
                <li key={field.name}>
                  <strong>{field.title}</strong>
                  <div className={styles.fromTo}>
                    <s>{settingWords(field, from)}</s>
                    <ArrowRightRegular aria-label="becomes" />
                    <span>{settingWords(field, safe)}</span>
                  </div>
                  <p>{effect}</p>
                </li>
              ))}
              {decided.map((field) => (
                <li key={field.name}>
                  <strong>{field.title}</strong>
                  <p>
                    Cannot be changed here: it is set on this server ({server[field.name]!.by}),{' '}
                    {settingWords(field, server[field.name]!.value)}.
                  </p>
                </li>
              ))}
            </ul>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              appearance="primary"
              onClick={() => onHarden(Object.fromEntries(open.map(({ field, safe }) => [field.name, safe])))}
            >
              Harden
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
