import { PrintRegular } from '@fluentui/react-icons';
import { useCallback, useEffect, useState } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { PageAction } from '../../app/page_action.ts';

/** An issued document. */
export interface IssuedPrint {
  id: number;
  title: string;
  at: string;
  by__label: string | null;
}

interface RecordPrints {
  offered: { name: string; title: string }[];
  issued: IssuedPrint[];
}

/**
 * The prints of a record, as buttons that save them as PDF, and its issued documents.
 * @param begun the print to save at once, requested by the address
 */
export function usePrints(
  screen: Screen,
  record: WireRecord,
  begun: string | null = null,
): { actions: PageAction[]; issued: IssuedPrint[] } {
  const [prints, setPrints] = useState<RecordPrints | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  // A print design is previewed as its document would be printed.
  const isPrinted = screen.prints !== undefined || (typeof screen.serves === 'object' && 'prints' in screen.serves);
  const { id, version } = record;
  useEffect(() => {
    if (!isPrinted) return undefined;
    const stop = new AbortController();
    api
      .get<{ data: RecordPrints }>(`/tapi/${screen.name}/${id}/prints`, undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => setPrints(data))
      // The record page works without them.
      .catch(() => undefined);
    return () => stop.abort();
  }, [isPrinted, screen.name, id, version]);
  const save = useCallback(
    (name: string) => {
      setBusy(name);
      void api
        .download(`/tapi/${screen.name}/${id}/print/${name}.pdf`)
        // The call has said why.
        .catch(() => undefined)
        .finally(() => setBusy(null));
    },
    [screen.name, id],
  );
  useEffect(() => {
    if (begun !== null) save(begun);
  }, [begun, save]);
  const actions = (prints?.offered ?? []).map(({ name, title }): PageAction => ({
    label: `${title} (PDF)`,
    icon: <PrintRegular />,
    busy: busy === name,
    onClick: () => save(name),
  }));
  return { actions, issued: prints?.issued ?? [] };
}
