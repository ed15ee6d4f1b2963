import { formatNumber } from '../../../descriptor/format.ts';
import {
  Badge,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Input,
} from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import useSWR from 'swr';
import type { Screen } from '../../../descriptor/types.ts';
import type { Adopted, Offer, Offered } from '../../../domain/adoption.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { adoptedWords, isOpen, matching, mustRename, wishWords } from './adopt_words.ts';
import type { OtherKeys } from './ClashChoice.tsx';
import ClashChoice from './ClashChoice.tsx';
import styles from './library.module.css';

/** The platform's library: several records can be copied at once; existing ones are marked. */
export default function AdoptDialog({
  screen,
  onAdopted,
  onClose,
}: {
  screen: Screen;
  onAdopted: () => void;
  onClose: () => void;
}) {
  const path = `/tapi/${screen.name}/library`;
  const { data, error, mutate } = useSWR([path], ([address]) => api.get<Offer>(address, undefined, { quiet: true }), {
    revalidateOnFocus: false,
  });
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  /** For chosen rows whose key is in use: those that get other keys. */
  const [renamed, setRenamed] = useState<ReadonlyMap<number, OtherKeys>>(new Map());
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Adopted['errors']>([]);

  const shown = matching(data?.data ?? [], text);
  // Rows that need another key are chosen one by one.
  const free = shown.filter((row) => isOpen(row) && !mustRename(row));
  const keysOf = (row: Offered): OtherKeys => renamed.get(row.id) ?? (mustRename(row) ? {} : null);
  const wished = (data?.data ?? []).filter(({ id }) => chosen.has(id));
  const unnamed = wished.some((row) =>
    row.clashes.some(({ field }) => keysOf(row) !== null && (keysOf(row)![field] ?? '').trim() === ''),
  );
  const all = free.length > 0 && free.every(({ id }) => chosen.has(id));
  const toggle = (ids: number[], on: boolean) =>
    setChosen((old) => {
      const next = new Set(old);
      for (const id of ids)
        if (on) next.add(id);
        else next.delete(id);
      return next;
    });

  const take = async () => {
    if (busy || chosen.size === 0 || unnamed) return;
    setBusy(true);
    try {
      const as = wished.flatMap((row) => (keysOf(row) ? [{ id: row.id, set: keysOf(row)! }] : []));
      const { data: done } = await api.post<{ data: Adopted }>(path, {
        ids: [...chosen],
        ...(as.length > 0 && { as }),
      });
      if (done.added.length + done.linked.length + done.updated.length > 0) {
        toast.success(adoptedWords(done));
        onAdopted();
      }
      if (done.errors.length === 0) {
        // Opening it again at once shows the copied records.
        void mutate();
        onClose();
        return;
      }
      setFailed(done.errors);
      setChosen(new Set(done.errors.map(({ id }) => id)));
      await mutate();
    } catch {
      // The call has shown why.
    }
    setBusy(false);
  };

  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>{screen.plural}: add from the library</DialogTitle>
          <DialogContent className={styles.content}>
            {error && !data ? (
              <ErrorView error={error} title="The library could not be loaded." retry={() => void mutate()} />
            ) : !data ? (
              <Skeleton rows={6} label="Loading the library" />
            ) : data.data.length === 0 ? (
              <p>
                The platform offers nothing for this list
                {data.industry === null ? '' : ` in your industry (${data.industry})`}.
              </p>
            ) : (
              <>
                <Input
                  contentBefore={<SearchRegular />}
                  aria-label="Search the library"
                  placeholder="Search"
                  value={text}
                  onChange={(_, { value }) => setText(value)}
                />
                {failed.length > 0 && (
                  <ul className={styles.failed} role="alert">
                    {failed.map((one) => (
                      <li key={one.id}>
                        <b>{one.label}</b>: {one.message}
                      </li>
                    ))}
                  </ul>
                )}
                <div className={styles.head}>
                  <Checkbox
                    label={text === '' ? 'All' : 'All that are shown'}
                    disabled={free.length === 0}
                    checked={all ? true : free.some(({ id }) => chosen.has(id)) ? 'mixed' : false}
                    onChange={() =>
                      toggle(
                        free.map(({ id }) => id),
                        !all,
                      )
                    }
                  />
                  <output>
                    {formatNumber(shown.length)} {data.industry === null ? 'offered' : `offered for ${data.industry}`}
                  </output>
                </div>
                <ul className={styles.list} aria-label="Library">
                  {shown.map((row) => (
                    <li key={row.id}>
                      <Checkbox
                        checked={!isOpen(row) || chosen.has(row.id)}
                        disabled={!isOpen(row)}
                        onChange={(_, { checked }) => toggle([row.id], checked === true)}
                        label={
                          <>
                            {row.label}
                            <span className={styles.code}>
                              {[
                                row.code,
                                row.detail,
                                row.above && `below ${row.above}`,
                                row.within && `of ${row.within}`,
                                row.state === 'same' && row.own_label !== row.label && `yours: ${row.own_label ?? ''}`,
                              ]
                                .filter(Boolean)
                                .join(' · ')}
                            </span>
                            {row.changes.map(({ title, from, to }) => (
                              <span key={title} className={styles.code}>
                                {title}: {from ?? 'empty'} → <b>{to ?? 'empty'}</b>
                              </span>
                            ))}
                          </>
                        }
                      />
                      {chosen.has(row.id) && row.clashes.length > 0 && (
                        <ClashChoice
                          row={row}
                          keys={keysOf(row)}
                          onChange={(keys) => setRenamed((old) => new Map(old).set(row.id, keys))}
                        />
                      )}
                      {row.changes.length > 0 && (
                        <Badge
                          appearance="tint"
                          color="brand"
                          title="The platform has changed it since you adopted it. Your copy stays as it is until you adopt the new version."
                        >
                          Update available
                        </Badge>
                      )}
                      {!isOpen(row) && (
                        <Badge appearance="tint" color="informative">
                          Already here
                        </Badge>
                      )}
                      {mustRename(row) && (
                        <Badge
                          appearance="tint"
                          color="warning"
                          title="You already use this key for something else. It can be added under another key."
                        >
                          Needs another key
                        </Badge>
                      )}
                      {row.state === 'same' && !keysOf(row) && (
                        <Badge
                          appearance="tint"
                          color="warning"
                          title="Your own record stays as it is and is linked to the library."
                        >
                          Links to yours
                        </Badge>
                      )}
                    </li>
                  ))}
                  {shown.length === 0 && <li className={styles.none}>Nothing in the library matches.</li>}
                </ul>
              </>
            )}
            {data && data.withdrawn.length > 0 && (
              <p className={styles.code}>
                Withdrawn from the library, here they stay: {data.withdrawn.map(({ label }) => label).join(', ')}.
              </p>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              appearance="primary"
              disabledFocusable={busy || chosen.size === 0 || unnamed}
              onClick={() => void take()}
            >
              {busy ? 'Saving…' : wishWords(wished, (row) => keysOf(row) !== null)}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
