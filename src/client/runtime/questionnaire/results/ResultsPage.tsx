import { ArrowDownloadRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { CrossTab } from '../../../../domain/questionnaire/cross_tab.ts';
import type { AnswerLine, QuestionnaireSummary, QuestionResult } from '../../../../domain/questionnaire/results.ts';
import { api } from '../../../api/http.ts';
import { menu, pageAddress } from '../../../api/screens.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../../app/page.tsx';
import type { PageProps } from '../../page_props.ts';
import styles from './results.module.css';

interface Lines {
  questions: { code: string; text: string }[];
  lines: AnswerLine[];
}

/** The response of a path. The previous content stays until the new one is loaded. */
const useLoaded = <T,>(path: string | null) =>
  useSWR(
    path,
    (address: string) => api.get<{ data: T }>(address, undefined, { quiet: true }).then(({ data }) => data),
    {
      keepPreviousData: true,
    },
  );

/** The results of a questionnaire: figures by question, one question compared with another, and single answers. */
export default function ResultsPage({ screen, access, id = '' }: PageProps) {
  const [by, setBy] = useState('');
  const [side, setSide] = useState<'results' | 'answers'>('results');
  const at = `/tapi/${screen.name}/${id}/results`;
  const query = by === '' ? '' : `?by=${encodeURIComponent(by)}`;
  const { data, error, mutate } = useLoaded<QuestionnaireSummary>(`${at}${query}`);
  const back = pageAddress(access, 'view_screen', id);
  const named = data?.least === 0;
  return (
    <Page
      title={data ? `${data.title}: results` : 'Results'}
      secondary={[
        {
          label: 'Excel',
          icon: <ArrowDownloadRegular />,
          disabled: data === undefined,
          onClick: () => void api.download(`${at}/export.xlsx${query}`).catch(() => undefined),
        },
        ...(back === null ? [] : [{ label: 'Close', to: back }]),
      ]}
    >
      <PageBody>
        {error ? (
          <ErrorView error={error} title="The results could not be loaded." retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={10} />
        ) : (
          <div className={styles.results}>
            <Head data={data} />
            <div className={styles.tools}>
              {named && (
                <div role="group" aria-label="Part of the page" className={styles.sides}>
                  {(['results', 'answers'] as const).map((one) => (
                    <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
                      {one === 'results' ? 'By question' : 'Single answers'}
                    </button>
                  ))}
                </div>
              )}
              {side === 'results' && data.groups.length > 0 && (
                <label>
                  Compare by{' '}
                  <select value={by} onChange={({ target }) => setBy(target.value)}>
                    <option value="">Nothing</option>
                    {data.groups.map(({ code, title }) => (
                      <option key={code} value={code}>
                        {title}
                      </option>
                    ))}
                  </select>
                </label>
              )}
            </div>
            {side === 'answers' && named ? (
              <Single address={`${at}/answers`} />
            ) : (
              data.questions.map((question) => (
                <QuestionBlock
                  key={question.code}
                  question={question}
                  least={data.least}
                  cross={data.cross?.find(({ code }) => code === question.code)}
                />
              ))
            )}
          </div>
        )}
      </PageBody>
    </Page>
  );
}

function Head({ data: { answered, open, least, score } }: { data: QuestionnaireSummary }) {
  return (
    <>
      <dl className={styles.figures}>
        <div>
          <dt>Handed in</dt>
          <dd>{answered ?? `fewer than ${least}`}</dd>
        </div>
        {least === 0 && (
          <div>
            <dt>Begun</dt>
            <dd>{open}</dd>
          </div>
        )}
        {score.slice(0, 1).map(({ title, value }) => (
          <div key={title}>
            <dt>Score, {title.toLowerCase()}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {least > 0 && (
        <p className={styles.hint}>
          These answers are anonymous. They count in lots of at least {least}, and nothing is shown of fewer.
        </p>
      )}
      {answered === 0 && <p className={styles.hint}>Nobody has submitted answers yet.</p>}
    </>
  );
}

function QuestionBlock({
  question: { text, n, na, bars, figures, table, texts },
  least,
  cross,
}: {
  question: QuestionResult;
  least: number;
  cross: ({ code: string; text: string } & CrossTab) | undefined;
}) {
  return (
    <section className={styles.question} aria-label={text}>
      <h3>{text}</h3>
      <p className={styles.hint}>
        {n === null ? `Fewer than ${least} answers.` : `${n} ${n === 1 ? 'answer' : 'answers'}`}
        {na > 0 && `, ${na} not applicable`}
      </p>
      {bars.length > 0 && (
        <ul className={styles.bars}>
          {bars.map(({ code, label, n: count, percent }) => (
            <li key={code}>
              <span>{label}</span>
              <span className={styles.track} aria-hidden>
                <span style={{ inlineSize: `${percent ?? 0}%` }} />
              </span>
              <span className={styles.count}>
                {count} ({percent ?? '0.0'} %)
              </span>
            </li>
          ))}
        </ul>
      )}
      {figures.length > 0 && (
        <dl className={styles.small}>
          {figures.map(({ title, value }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {table && (
        <Table
          caption={text}
          columns={['', ...table.columns]}
          rows={table.rows.map(({ label, cells }) => [label, ...cells])}
        />
      )}
      {texts.length > 0 && (
        <ul className={styles.texts} tabIndex={0} aria-label={`Texts to ${text}`}>
          {texts.map((one, at) => (
            <li key={at}>{one}</li>
          ))}
        </ul>
      )}
      {cross && <Cross cross={cross} least={least} />}
    </section>
  );
}

function Cross({
  cross: { text, columns, rows, n, test },
  least,
}: {
  cross: { text: string } & CrossTab;
  least: number;
}) {
  if (n === 0) return null;
  const lines = rows.map(({ label, counts, percents, n: size }) => [
    label,
    ...columns.map((_, at) => (counts === null ? '' : `${counts[at]} (${percents?.[at] ?? '0.0'} %)`)),
    size === null ? `fewer than ${least}` : String(size),
  ]);
  return (
    <>
      <Table caption={`${text}, compared`} columns={['', ...columns, 'n']} rows={lines} />
      {test && (
        <p className={styles.hint}>
          χ² {test.chi2}, df {test.df}, p {test.p}
          {test.isReliable
            ? Number(test.p) < 0.05
              ? ': the groups differ.'
              : ': this may be chance.'
            : ': too few answers to rely on it.'}
        </p>
      )}
    </>
  );
}

function Table({ caption, columns, rows }: { caption: string; columns: string[]; rows: string[][] }) {
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{label}</th>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The answering records, with their answers as text. */
function Single({ address }: { address: string }) {
  const { screens } = menu.use();
  const { data, error, mutate } = useLoaded<Lines>(address);
  if (error) return <ErrorView error={error} title="The answers could not be loaded." retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={6} />;
  if (data.lines.length === 0) return <p className={styles.hint}>Nobody has submitted answers yet.</p>;
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label="Single answers">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">Score</th>
            {data.questions.map(({ code, text }) => (
              <th key={code} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.lines.map(({ type, id, title, score, answers }) => {
            const ref = screens.find(({ name }) => name === type);
            const to = ref && pageAddress(ref, 'view_screen', String(id));
            return (
              <tr key={`${type} ${id}`}>
                <th scope="row">{to ? <Link to={to}>{title}</Link> : title}</th>
                <td>{score === null ? '' : Number(score).toFixed(2)}</td>
                {data.questions.map(({ code }) => (
                  <td key={code}>{answers[code] ?? ''}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
