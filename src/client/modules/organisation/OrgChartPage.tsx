import { Button, Textarea } from '@fluentui/react-components';
import { DocumentArrowUpRegular } from '@fluentui/react-icons';
import { useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import useSWR from 'swr';
import type { ChartPerson } from '../../../domain/organisation/chart_tree.ts';
import { ChartTree } from '../../../domain/organisation/chart_tree.ts';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { useLiveRecords } from '../../runtime/landing/use_rows.ts';
import { Chart } from './Chart.tsx';
import { SAMPLE, readChartList } from './chart_sample.ts';
import { loadPlan } from './open_plan.ts';
import styles from './org_chart.module.css';

interface Answer {
  people: ChartPerson[];
  me: number | null;
  may_move: boolean;
  sees_scores: boolean;
  opens_people: boolean;
}

/** The organisation chart: of the company, read-only for everybody, or of a pasted list. */
export default function OrgChartPage() {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  if (pathname === '/orgchart_sample' || query.get('plan') === 'sample') return <SampleChart />;
  const plan = /^\d{1,15}$/.exec(query.get('plan') ?? '')?.[0];
  return (
    <CompanyChart
      key={plan}
      readOnly={pathname === '/organization_chart' || query.get('mode') === 'view'}
      planId={plan === undefined ? null : Number(plan)}
    />
  );
}

function CompanyChart({ readOnly, planId }: { readOnly: boolean; planId: number | null }) {
  const { entityId } = useSession();
  const { data, error, mutate } = useSWR(['/tapi/organisation_chart', entityId, planId], async ([path]) => {
    const [answer, plan] = await Promise.all([
      api.get<{ data: Answer }>(path, undefined, { quiet: true }),
      planId === null ? null : loadPlan(planId),
    ]);
    return { ...answer.data, plan, tree: new ChartTree(answer.data.people) };
  });
  useLiveRecords('employee', () => void mutate());
  if (error && !data)
    return (
      <Page title="Organisation chart">
        <PageBody>
          <ErrorView error={error as ApiError} title="The chart could not be loaded." retry={() => void mutate()} />
        </PageBody>
      </Page>
    );
  if (!data)
    return (
      <Page title="Organisation chart" layout="fill">
        <PageBody>
          <Skeleton rows={12} label="Loading people" />
        </PageBody>
      </Page>
    );
  return (
    <Chart
      now={data.tree}
      given={data.plan}
      me={data.me}
      seesScores={data.sees_scores}
      opensPeople={data.opens_people}
      mayMove={data.may_move && !readOnly}
      onChanged={() => mutate()}
    />
  );
}

function SampleChart() {
  const [text, setText] = useState(SAMPLE);
  // The chart starts anew with each drawn list, not with each letter.
  const [written, setWritten] = useState(SAMPLE);
  const draw = (list: string) => {
    setWritten(list);
    setText(list);
  };
  const file = useRef<HTMLInputElement>(null);
  const { people, problems } = useMemo(() => readChartList(text), [text]);
  const tree = useMemo(() => new ChartTree(people), [people]);
  return (
    <Chart
      key={text}
      now={tree}
      me={null}
      seesScores={false}
      opensPeople={false}
      mayMove={false}
      isSample
      onChanged={() => Promise.resolve()}
      above={
        <details open={problems.length > 0}>
          <summary>Your own list: id, name, manager, designation. Nothing is saved.</summary>
          <input
            ref={file}
            type="file"
            accept=".csv,.tsv,.txt"
            hidden
            aria-label="File of people"
            onChange={({ target }) => void target.files?.[0]?.text().then(draw)}
          />
          <Button icon={<DocumentArrowUpRegular />} onClick={() => file.current?.click()}>
            Open a CSV file
          </Button>
          <Textarea
            className={styles.list}
            aria-label="People, one per line; may be pasted from Excel"
            value={written}
            onChange={(_, { value }) => setWritten(value)}
          />
          <Button appearance="primary" disabledFocusable={written === text} onClick={() => draw(written)}>
            Draw
          </Button>
          {problems.length > 0 && (
            <p className={styles.problem} role="alert">
              {problems.slice(0, 3).join(' ')}
            </p>
          )}
        </details>
      }
    />
  );
}
