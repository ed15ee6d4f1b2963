import { useCallback, useEffect, useState } from 'react';
import type { Pagination } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import type { AttachmentRow, CommentRow, HistoryRow } from './timeline_entries.ts';

interface Loaded {
  changes: HistoryRow[];
  moreChanges: boolean;
  comments: CommentRow[];
  files: AttachmentRow[];
}

export interface TimelineData {
  loaded: Loaded | null;
  error: ApiError | null;
  refresh: () => void;
  loadOlder: () => void;
  loadingOlder: boolean;
  addComment: (text: string) => Promise<void>;
  removeComment: (id: number) => Promise<void>;
  attach: (file: File, onProgress: (part: number) => void, signal: AbortSignal) => Promise<void>;
  removeFile: (id: number) => Promise<void>;
}

type HistoryAnswer = { data: HistoryRow[]; pagination?: Partial<Pagination> };

function historyPage(path: string, page: number): Promise<HistoryAnswer> {
  return api.get<HistoryAnswer>(`${path}/history`, { page }, { quiet: true });
}

function hasNext({ pagination }: HistoryAnswer): boolean {
  return pagination?.has_next === true || pagination?.more === true;
}

/** The history of a record: its changes page by page, its comments and its files. */
export function useTimeline(type: string, id: string | number): TimelineData {
  const path = `/tapi/${type}/${id}`;
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  const [pages, setPages] = useState(1);
  const [loadingOlder, setLoadingOlder] = useState(false);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);

  useEffect(() => {
    let gone = false;
    Promise.all([
      historyPage(path, 1),
      api.get<{ data: CommentRow[] }>(`${path}/comments`, undefined, { quiet: true }),
      api.get<{ data: AttachmentRow[] }>(`${path}/attachments`, undefined, { quiet: true }),
    ])
      .then(([history, comments, files]) => {
        if (gone) return;
        setLoaded({ changes: history.data, moreChanges: hasNext(history), comments: comments.data, files: files.data });
        setPages(1);
        setError(null);
      })
      .catch((thrown: unknown) => {
        if (!gone)
          setError(thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server'));
      });
    return () => {
      gone = true;
    };
  }, [path, turn]);

  useEffect(
    () =>
      onLive((live) => {
        if (
          live.event === 'resumed' ||
          (live.event === 'record' && live.data.type === type && String(live.data.id) === String(id))
        )
          refresh();
      }),
    [type, id, refresh],
  );

  const loadOlder = () => {
    setLoadingOlder(true);
    historyPage(path, pages + 1)
      .then((answer) => {
        setLoaded((old) => old && { ...old, changes: [...old.changes, ...answer.data], moreChanges: hasNext(answer) });
        setPages(pages + 1);
      })
      .catch((thrown: unknown) => {
        if (thrown instanceof ApiError) setError(thrown);
      })
      .finally(() => setLoadingOlder(false));
  };
  const put = (part: (old: Loaded) => Partial<Loaded>) => setLoaded((old) => old && { ...old, ...part(old) });

  return {
    loaded,
    error,
    refresh,
    loadOlder,
    loadingOlder,
    addComment: async (text) => {
      const { data } = await api.post<{ data: CommentRow }>(`${path}/comments`, { text });
      put((old) => ({ comments: [{ ...data, mine: true }, ...old.comments] }));
    },
    removeComment: async (comment) => {
      await api.delete(`${path}/comments/${comment}`);
      put((old) => ({ comments: old.comments.filter((row) => row.id !== comment) }));
    },
    attach: async (file, onProgress, signal) => {
      const form = new FormData();
      form.append('file', file);
      const { data } = await api.upload<{ data: AttachmentRow | AttachmentRow[] }>(
        `${path}/attachments`,
        form,
        onProgress,
        { signal },
      );
      const rows = Array.isArray(data) ? data : [data];
      put((old) => ({
        files: [
          ...rows.map((row) => ({ ...row, mine: true })),
          ...old.files.filter((row) => !rows.some((one) => one.id === row.id)),
        ],
      }));
    },
    removeFile: async (file) => {
      await api.delete(`${path}/attachments/${file}`);
      put((old) => ({ files: old.files.filter((row) => row.id !== file) }));
    },
  };
}
