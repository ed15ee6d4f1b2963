import { Button, Checkbox, Input, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { SaveRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatValue } from '../../../descriptor/format.ts';
import { parameterForm } from '../../../descriptor/parameter_form.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { useScreen } from '../../api/screens.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { toast } from '../../app/feedback.ts';
import { commitDrafts } from '../../runtime/fields/widget.ts';
import { refusedElsewhere, useAskedFields } from '../../runtime/form/asked_fields.tsx';
import { createFormStore } from '../../runtime/form/form_store.ts';
import { newRecord } from '../../runtime/form/values.ts';
import styles from './lines.module.css';

type Row = Record<string, unknown>;

/** An option: a contract line or a lift. */
export interface Candidate {
  id: number;
  title: string;
  note?: string;
}

interface PickerProps {
  title: string;
  /** The options and the effect of the document, in a sentence. */
  hint: string;
  /** The type of the document to create. */
  type: string;
  /** Its rows, and their column for the chosen option. */
  rows: string;
  by: string;
  /** Fields of the form above the list. */
  head: readonly string[];
  /** Initial values. */
  initial: Row;
  candidates: readonly Candidate[];
  /** Whether all options are chosen at first. */
  all?: boolean;
  /** Columns of the rows computed by the server. */
  columns: readonly string[];
  /** A column for entering a different amount. */
  entered?: string;
  /** Totals below the list, from fields of the document. */
  totals: readonly string[];
  /** Other effects of the document, from fields computed by the server. */
  facts?: readonly string[];
  save: string;
  /** The text without options. */
  empty: string;
  above?: ReactNode;
}

/**
 * Chooses lines or lifts for a document, with a live preview of its effect on each and on the money; nothing is stored
 * before saving.
 */
export function LinePicker(props: PickerProps) {
  const { screen, error, retry } = useScreen(props.type);
  if (error || !screen || props.candidates.length === 0)
    return (
      <Page title={props.title}>
        <PageBody>
          {props.above}
          {error ? (
            <ErrorView error={error} retry={retry} home />
          ) : !screen ? (
            <Skeleton rows={6} label="Loading" />
          ) : (
            <EmptyState title="Nothing to choose" text={props.empty} />
          )}
        </PageBody>
      </Page>
    );
  return <Chooser {...props} screen={screen} />;
}

const isAmount = ({ type }: Field) => fieldType(type).filter === 'number';

function Chooser({ screen, ...props }: PickerProps & { screen: Screen }) {
  const { type, rows, by, initial, candidates, columns, entered, totals, facts = [] } = props;
  const navigate = useNavigate();
  const head = useMemo(
    () => props.head.flatMap((name) => screen.fields.find((field) => field.name === name) ?? []),
    [props.head, screen],
  );
  const shown = useMemo(() => {
    const all = screen.fields.find(({ name }) => name === rows)?.rows ?? [];
    return columns.flatMap((name) => all.find((field) => field.name === name) ?? []);
  }, [columns, rows, screen]);
  const [store] = useState(() => {
    // Hidden fields decide which of the shown ones are visible.
    const own = screen.fields.filter(({ rows: isRows, formula }) => !isRows && formula === undefined);
    const form = parameterForm(screen, own, { landing: screen.routes.landing, menu: screen.menu });
    return createFormStore({ ...form, name: type }, { ...newRecord(screen), ...initial });
  });
  const { host, drawn } = useAskedFields(store, head);
  const values = useSyncExternalStore(store.subscribe, store.values);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(props.all ? candidates.map(({ id }) => id) : []),
  );
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const [seen, setSeen] = useState<{ values: Row; rows: Map<number, Row> } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const release = useUnsavedGuard(chosen.size > 0 && !props.all);

  const list = useMemo(
    () =>
      candidates.flatMap(({ id }) =>
        chosen.has(id)
          ? [{ [by]: id, ...(entered !== undefined && typed[id] !== undefined && { [entered]: typed[id] }) }]
          : [],
      ),
    [by, candidates, chosen, entered, typed],
  );
  const asked = JSON.stringify([head.map(({ name }) => values[name] ?? null), list]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const sent = { ...initial, ...headValues(head, store.values()), [rows]: list };
      api
        .post<{ data: Row }>(`/tapi/${type}/fill`, { values: sent }, { quiet: true, signal: stop.signal })
        .then(({ data }) => {
          const filled = (data[rows] ?? []) as Row[];
          setSeen({ values: data, rows: new Map(list.map((row, at) => [Number(row[by]), { ...row, ...filled[at] }])) });
          setProblem(null);
        })
        .catch((error: unknown) => {
          if (!stop.signal.aborted)
            setProblem(error instanceof Error ? error.message : 'The effect cannot be shown now.');
        });
    }, 250);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // What is asked says all that the preview depends on.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);

  const wrong = list.filter((row) => seen?.rows.get(Number(row[by]))?.problem);
  const save = async () => {
    commitDrafts(host);
    if (!store.check()) return;
    setBusy(true);
    setProblem(null);
    try {
      const { data } = await api.post<{ data: WireRecord }>(
        `/tapi/${type}`,
        { ...initial, ...headValues(head, store.values()), [rows]: list },
        { quiet: true },
      );
      release();
      toast.success('The draft is saved. Review and submit it.');
      void navigate((screen.routes.view ?? screen.routes.landing).replace(':id', String(data.id)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const others = refusedElsewhere(store, head, error).map(({ message }) => message);
      setProblem(others.length > 0 ? others.join(' ') : 'Some fields above need another value.');
    } finally {
      setBusy(false);
    }
  };
  const toggle = (id: number, on: boolean) =>
    setChosen((old) => new Set(on ? [...old, id] : [...old].filter((one) => one !== id)));
  const sumOf = (column: string) =>
    [...(seen?.rows.values() ?? [])].reduce((sum, row) => sum + Math.round(Number(row[column] ?? 0) * 100), 0) / 100;

  return (
    <Page
      title={props.title}
      primary={{
        label: props.save,
        icon: <SaveRegular />,
        busy,
        disabled: list.length === 0 || wrong.length > 0,
        reason: list.length === 0 ? 'Choose at least one.' : 'Remove those with a problem first.',
        onClick: () => void save(),
      }}
    >
      <PageBody>
        {props.above}
        <p className={styles.muted}>{props.hint}</p>
        {problem !== null && (
          <MessageBar intent="error">
            <MessageBarBody>{problem}</MessageBarBody>
          </MessageBar>
        )}
        <div className={styles.head}>{drawn}</div>
        <div className={styles.frame}>
          <table className={styles.lines}>
            <thead>
              <tr>
                <th scope="col">
                  <Checkbox
                    label="Lift"
                    checked={chosen.size === candidates.length ? true : chosen.size > 0 ? 'mixed' : false}
                    onChange={(_, { checked }) =>
                      setChosen(new Set(checked === true ? candidates.map(({ id }) => id) : []))
                    }
                  />
                </th>
                {shown.map((field) => (
                  <th key={field.name} scope="col" {...(isAmount(field) && { 'data-number': '' })}>
                    {field.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {candidates.map(({ id, title, note }) => {
                const row = chosen.has(id) ? seen?.rows.get(id) : undefined;
                return (
                  <tr key={id}>
                    <td>
                      <Checkbox
                        label={title}
                        checked={chosen.has(id)}
                        onChange={(_, { checked }) => toggle(id, checked === true)}
                      />
                      {note !== undefined && <span className={styles.muted}>{note}</span>}
                    </td>
                    {shown.map((field) => (
                      <td
                        key={field.name}
                        data-label={row ? field.title : undefined}
                        {...(isAmount(field) && { 'data-number': '' })}
                      >
                        {row && field.name === entered ? (
                          <Input
                            className={styles.rate!}
                            size="small"
                            inputMode="decimal"
                            input={{ style: { textAlign: 'end' } }}
                            aria-label={`${field.title} of ${title}`}
                            key={`${id}-${String(typed[id] ?? row[field.name] ?? '')}`}
                            defaultValue={String(typed[id] ?? row[field.name] ?? '')}
                            onBlur={({ target }) => {
                              const text = target.value.replaceAll(/[,\p{Sc}\s]/gu, '');
                              if (text !== String(row[field.name] ?? ''))
                                setTyped((old) => {
                                  const { [id]: _old, ...rest } = old;
                                  return text === '' ? rest : { ...rest, [id]: text };
                                });
                            }}
                          />
                        ) : row && row[field.name] !== null && row[field.name] !== undefined ? (
                          <span {...(field.name === 'problem' && { className: styles.problem })}>
                            {formatValue(field, row[field.name], row)}
                          </span>
                        ) : null}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
        {wrong.length > 0 && (
          <MessageBar intent="warning">
            <MessageBarBody>
              {wrong.length} of {list.length} cannot go like this.{' '}
              {list.length > wrong.length && (
                <Button
                  size="small"
                  onClick={() => {
                    const out = new Set(wrong.map((row) => Number(row[by])));
                    setChosen((old) => new Set([...old].filter((id) => !out.has(id))));
                  }}
                >
                  Go on with the other {list.length - wrong.length}
                </Button>
              )}
            </MessageBarBody>
          </MessageBar>
        )}
        {list.length > 0 && seen && (
          <dl className={styles.totals} aria-live="polite">
            <div>
              <dt>Chosen</dt>
              <dd>{list.length}</dd>
            </div>
            {totals.map((name) => {
              const field = shown.find((one) => one.name === name);
              return field ? (
                <div key={name}>
                  <dt>{field.title}</dt>
                  <dd>{formatValue(field, sumOf(name).toFixed(2))}</dd>
                </div>
              ) : null;
            })}
            {facts.map((name) => {
              const field = screen.fields.find((one) => one.name === name);
              const value = seen.values[name];
              return field && value !== null && value !== undefined ? (
                <div key={name}>
                  <dt>{field.title}</dt>
                  <dd>{formatValue(field, value, seen.values)}</dd>
                </div>
              ) : null;
            })}
          </dl>
        )}
      </PageBody>
    </Page>
  );
}

const headValues = (head: readonly Field[], values: Readonly<Row>): Row =>
  Object.fromEntries(head.map(({ name }) => [name, values[name] ?? null]));
