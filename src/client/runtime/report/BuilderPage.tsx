import { SaveRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import type { Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { screenRefs, useScreen } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { BuilderForm } from './BuilderForm.tsx';
import { Preview } from './Preview.tsx';
import type { ReportDraft, SavedReport } from './report_draft.ts';
import { draftOf, newDraft, reportOf } from './report_draft.ts';
import { SaveDialog } from './SaveDialog.tsx';
import { TypeChoice } from './TypeChoice.tsx';
import styles from './builder.module.css';

/** The report builder: a new report (for a list: with its filters), a saved one, or a copy of it. */
export default function BuilderPage() {
  const query = new URLSearchParams(useLocation().search);
  const id = query.get('report');
  const {
    data: saved,
    error,
    mutate,
  } = useSWR(
    id === null ? null : `/tapi/report/own/${encodeURIComponent(id)}`,
    async (path) => (await api.get<{ data: SavedReport }>(path, {}, { quiet: true })).data,
    // A report being edited is not replaced; the second person to save gets a message.
    { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: true },
  );
  if (error && !saved)
    return (
      <Page title="Report">
        <PageBody>
          <ErrorView error={error} retry={() => void mutate()} home />
        </PageBody>
      </Page>
    );
  if (id !== null && !saved) return <Loading />;
  return <Builder key={`${id} ${query.get('copy')}`} saved={saved ?? null} isCopy={query.has('copy')} query={query} />;
}

const Loading = () => (
  <Page title="Report">
    <PageBody>
      <Skeleton rows={8} label="Loading the report" />
    </PageBody>
  </Page>
);

function Builder({ saved, isCopy, query }: { saved: SavedReport | null; isCopy: boolean; query: URLSearchParams }) {
  const refs = screenRefs.use();
  const [type, setType] = useState(() => saved?.report.from?.type ?? query.get('type') ?? '');
  const known = refs.some(({ name, rights }) => name === type && rights.landing);
  return known ? (
    <OfType
      key={type}
      type={type}
      saved={saved?.report.from?.type === type ? saved : null}
      isCopy={isCopy}
      filter={query.get('type') === type ? query.get('filter') : null}
      onType={setType}
    />
  ) : (
    <Page title="New report">
      <PageBody>
        <div className={styles.start}>
          {type !== '' && <p role="alert">You cannot list the records of this report. Choose others.</p>}
          <TypeChoice value="" onChange={setType} />
          <p className={styles.faint}>
            A report puts the records that you may see in groups, and counts or adds them up. Choose of which records.
          </p>
        </div>
      </PageBody>
    </Page>
  );
}

interface OfTypeProps {
  type: string;
  saved: SavedReport | null;
  isCopy: boolean;
  filter: string | null;
  onType: (type: string) => void;
}

function OfType(props: OfTypeProps) {
  const { screen, error, retry } = useScreen(props.type);
  if (error)
    return (
      <Page title="Report">
        <PageBody>
          <ErrorView error={error} retry={retry} home />
        </PageBody>
      </Page>
    );
  return screen ? <Drafting {...props} screen={screen} /> : <Loading />;
}

function readFilter(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function Drafting({ screen, saved, isCopy, filter, onType }: OfTypeProps & { screen: Screen }) {
  const navigate = useNavigate();
  const [first] = useState(() => (saved ? draftOf(saved.report) : newDraft(screen, readFilter(filter))));
  const [draft, setDraft] = useState<ReportDraft>(first);
  const [saving, setSaving] = useState(false);
  const release = useUnsavedGuard(JSON.stringify(draft) !== JSON.stringify(first));
  const own = saved && !isCopy && saved.mayChange ? saved : null;
  return (
    <Page
      title={own ? `Change ${own.report.title}` : saved ? `Copy of ${saved.report.title}` : 'New report'}
      primary={{
        label: 'Save report',
        icon: <SaveRegular />,
        disabled: draft.measures.length === 0 || draft.group.length === 0,
        reason: 'Choose a group and a figure first.',
        onClick: () => setSaving(true),
      }}
    >
      <PageBody>
        <div className={styles.builder}>
          <section aria-label="What the report shows" className={styles.form}>
            {saved ? (
              <p className={styles.faint}>Report on {screen.plural}</p>
            ) : (
              <TypeChoice value={screen.name} onChange={onType} />
            )}
            <BuilderForm screen={screen} draft={draft} onChange={setDraft} />
          </section>
          <section aria-label="Preview" className={styles.preview}>
            <Preview report={reportOf(draft, draft.title || `${screen.plural} report`.slice(0, 60))} />
          </section>
        </div>
        {saving && (
          <SaveDialog
            draft={draft}
            saved={own}
            isCopy={saved !== null && own === null}
            onClose={() => setSaving(false)}
            onSaved={(id, title) => {
              release();
              toast.success(`${title} is saved.`);
              void navigate(`/reports/own/${id}`);
            }}
          />
        )}
      </PageBody>
    </Page>
  );
}
