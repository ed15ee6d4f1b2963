import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Spinner,
} from '@fluentui/react-components';
import { useId, useState } from 'react';
import { ApiError } from '../../api/http.ts';
import { chooseCompany, preferCompany, preferredCompany } from '../company_choice.ts';
import { toast } from '../feedback.ts';
import { currentSession, usePhone } from '../session.ts';
import type { Company } from '../stored_session.ts';
import { useFocusKeeper } from './focus_keeper.tsx';
import styles from './company_dialog.module.css';

/** Chooses the company to work in. Cancel is shown only if one is already chosen. */
export default function CompanyDialog({
  companies,
  current,
  onApplied,
  onClose,
}: {
  companies: Company[];
  current: number | null;
  /** The company is chosen: the caller reloads the page. */
  onApplied: () => void;
  onClose?: () => void;
}) {
  const phone = usePhone();
  const group = useId();
  const { userId } = currentSession();
  const [chosen, setChosen] = useState<number | null>(() => {
    const preferred = current ?? preferredCompany(userId) ?? companies.find((company) => company.is_default)?.id;
    return companies.some((company) => company.id === preferred) ? (preferred ?? null) : null;
  });
  const [busy, setBusy] = useState(false);
  const cancel = current !== null ? onClose : undefined;
  useFocusKeeper();
  const company = companies.find(({ id }) => id === chosen);

  const proceed = async () => {
    if (!company || typeof company.id !== 'number' || busy) return;
    setBusy(true);
    try {
      await chooseCompany(company);
      onApplied();
    } catch (thrown) {
      setBusy(false);
      toast.error(thrown instanceof ApiError && thrown.status < 500 ? thrown.message : 'Server Error');
    }
  };

  const save = () => {
    if (!company) return;
    preferCompany(userId, company.id);
    if (phone) void proceed();
    else toast.success(`${company.name} will be chosen first when you sign in on this device.`);
  };

  return (
    <Dialog open modalType={cancel ? 'modal' : 'alert'} onOpenChange={(_, data) => !data.open && cancel?.()}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>Choose a company</DialogTitle>
          <DialogContent>
            <div className={styles.cards} role="radiogroup" aria-label="Company">
              {companies.map((entry) => (
                <label key={entry.id} className={styles.card} data-chosen={entry.id === chosen || undefined}>
                  <input
                    type="radio"
                    name={group}
                    value={entry.id}
                    checked={entry.id === chosen}
                    onChange={() => setChosen(entry.id)}
                  />
                  <span className={styles.words}>
                    <span className={styles.name}>{entry.name}</span>
                    {(entry.financial_year ?? entry.branch) && (
                      <span className={styles.facts}>
                        {[entry.financial_year && `FY ${entry.financial_year}`, entry.branch]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                    )}
                  </span>
                </label>
              ))}
            </div>
          </DialogContent>
          <DialogActions>
            {cancel && <Button onClick={cancel}>Cancel</Button>}
            <Button disabled={!company || busy} onClick={save}>
              {phone ? 'Continue' : 'Save'}
            </Button>
            <Button
              appearance="primary"
              disabled={!company || busy}
              {...(busy && { icon: <Spinner size="tiny" /> })}
              onClick={() => void proceed()}
            >
              Proceed
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
