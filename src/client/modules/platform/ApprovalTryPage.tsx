import {
  Badge,
  Button,
  Field as Labelled,
  Input,
  MessageBar,
  MessageBarBody,
  Select,
} from '@fluentui/react-components';
import { PlayRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { currencySymbol } from '../../../descriptor/money.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { TriedLevel, TriedProcess } from '../../../domain/approval_levels.ts';
import { ApiError, api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { RefPicker } from '../../runtime/fields/reference/RefPicker.tsx';
import { needWords } from '../../runtime/workflow/need_words.ts';
import styles from './approval_try.module.css';

interface Tried {
  processes: TriedProcess[];
  note: string | null;
}

interface Setup {
  /** The kinds of documents with approvals. */
  documents: { value: string; label: string }[];
  /** The process from which the page was opened. */
  process: WireRecord | null;
}

const TYPE = 'approval_process';

async function fetchSetup(id: string | null): Promise<Setup> {
  const quiet = { quiet: true };
  const [{ data }, process] = await Promise.all([
    api.get<{ data: { screen: Screen } }>(`/tapi/screens/${TYPE}`, undefined, quiet),
    id === null ? null : api.get<{ data: WireRecord }>(`/tapi/${TYPE}/${id}`, undefined, quiet),
  ]);
  const documents = data.screen.fields.find(({ name }) => name === 'transaction_type')?.options ?? [];
  return {
    documents: documents.map(({ value, label }) => ({ value: String(value), label })),
    process: process?.data ?? null,
  };
}

/** Simulates an approval: its approvers, level by level, and the reasons. Nothing is stored. */
export default function ApprovalTryPage() {
  const [query] = useSearchParams();
  const { data, error, mutate } = useSWR(['/approval_process/try', query.get('process')], ([, id]) => fetchSetup(id), {
    revalidateOnFocus: false,
  });
  return (
    <Page
      title="Who would be asked?"
      breadcrumbs={[{ label: 'Approval processes', to: '/approval_process' }]}
      layout="form"
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={6} />
        ) : (
          <Trial setup={data} />
        )}
      </PageBody>
    </Page>
  );
}

function Trial({ setup: { documents, process } }: { setup: Setup }) {
  const { entityId, entities } = useSession();
  const branches = Array.isArray(process?.branch_ids) ? (process.branch_ids as number[]) : [];
  const [type, setType] = useState(String(process?.transaction_type ?? documents[0]?.value ?? ''));
  const [company, setCompany] = useState(entityId);
  const [branch, setBranch] = useState<number | null>(branches[0] ?? null);
  const [requester, setRequester] = useState<number | null>(null);
  const [record, setRecord] = useState<number | null>(null);
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState<Tried | null>(null);
  const [wrong, setWrong] = useState<{ field: string | null; message: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const title = useScreenRef(type)?.title ?? 'Document';
  /** The result belongs to the values at that time. */
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      setTried(null);
      setWrong(null);
      set(value);
    };
  };

  const run = async () => {
    setBusy(true);
    setWrong(null);
    try {
      const answer = await api.post<{ data: Tried }>(
        `/tapi/${TYPE}/try`,
        {
          type,
          entity_id: company,
          branch_id: branch,
          record_id: record,
          requester_id: requester,
          amount: amount.trim() === '' ? null : amount.replace(/[,\s\p{Sc}]/gu, ''),
        },
        { quiet: true },
      );
      setTried(answer.data);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setTried(null);
      setWrong({ field: thrown.field ?? null, message: thrown.message });
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <p className={styles.note}>
        Describe a request, or choose an existing document. Nothing is stored, and nobody is notified.
      </p>
      <form
        className={styles.inputs}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Labelled label="Document">
          <Select
            value={type}
            onChange={(_, { value }) => {
              setRecord(null);
              change(setType)(value);
            }}
          >
            {documents.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Labelled>
        {entities.length > 1 && (
          <Labelled label="Company">
            <Select
              value={String(company)}
              onChange={(_, { value }) => {
                setBranch(null);
                setRecord(null);
                change(setCompany)(Number(value));
              }}
            >
              {entities.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Labelled>
        )}
        {company === entityId && (
          <>
            <Choice type="branch" title="Branch" value={branch} onChange={change(setBranch)} />
            <Choice key={type} type={type} title={title} value={record} onChange={change(setRecord)} />
          </>
        )}
        <Labelled
          label="Amount"
          {...(wrong?.field === 'amount' && { validationMessage: wrong.message, validationState: 'error' as const })}
        >
          <Input
            value={amount}
            inputMode="decimal"
            contentBefore={currencySymbol()}
            onChange={(_, { value }) => change(setAmount)(value)}
          />
        </Labelled>
        <Choice type="users" title="Requested by" value={requester} onChange={change(setRequester)} />
        <div className={styles.go}>
          <Button type="submit" appearance="primary" icon={<PlayRegular />} disabledFocusable={busy}>
            Show who is asked
          </Button>
        </div>
      </form>
      <div role="status">
        {wrong && wrong.field !== 'amount' && (
          <MessageBar intent="error">
            <MessageBarBody>{wrong.message}</MessageBarBody>
          </MessageBar>
        )}
        {tried && <Outcome tried={tried} />}
      </div>
    </>
  );
}

function Choice({
  type,
  title,
  value,
  onChange,
}: {
  type: string;
  title: string;
  value: number | null;
  onChange: (id: number | null) => void;
}) {
  const id = `try-${type}`;
  const field: Field = {
    name: type,
    type: 'ref',
    title,
    required: false,
    schema: {},
    secret: false,
    readOnly: false,
    ref: { type },
  };
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{title}</label>
      <RefPicker
        field={field}
        id={id}
        value={value}
        onChange={(chosen) => onChange(typeof chosen === 'number' ? chosen : null)}
      />
    </div>
  );
}

function Outcome({ tried: { processes, note } }: { tried: Tried }) {
  return (
    <>
      {note !== null && (
        <MessageBar>
          <MessageBarBody>{note}</MessageBarBody>
        </MessageBar>
      )}
      {processes.map(({ id, name, beside, levels, refused }) => (
        <section key={id} className={styles.process} aria-label={name}>
          <div className={styles.head}>
            <h2>{name}</h2>
            {beside && (
              <Badge appearance="tint" color="informative">
                Applies in addition
              </Badge>
            )}
          </div>
          {refused !== null && (
            <MessageBar intent="error">
              <MessageBarBody>{refused}</MessageBarBody>
            </MessageBar>
          )}
          <ol className={styles.levels}>
            {levels.map((level) => (
              <Level key={level.level} level={level} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Level({
  level: { level, asked, note, need, need_n: count, time, people, left_out: out },
}: {
  level: TriedLevel;
}) {
  const words = needWords(need, count, people.length);
  return (
    <li className={styles.level} data-asked={asked}>
      <div className={styles.levelHead}>
        <b>Level {level}</b>
        {asked && words !== '' && <span className={styles.quiet}>{words}</span>}
      </div>
      {note !== null && <div className={styles.quiet}>{note}</div>}
      <ul className={styles.people}>
        {(asked ? people : []).map((person) => (
          <li key={person.name + person.why}>
            {person.name} <span className={styles.quiet}>{person.why}</span>
          </li>
        ))}
      </ul>
      {asked && out.length > 0 && (
        <div className={styles.quiet}>Not asked, because they ask for it: {out.join(', ')}.</div>
      )}
      {asked && time !== null && <div className={styles.quiet}>{time}.</div>}
    </li>
  );
}
