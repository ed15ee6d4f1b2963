import { useCallback, useContext, useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from '../widget.ts';
import { AnswerChips, hasChoices } from './AnswerChips.tsx';
import styles from './questions.module.css';
import { OneByOne } from './OneByOne.tsx';
import { isAnswered } from './question_rows.ts';
import { RowField } from './RowField.tsx';
import { rowErrors } from './sheet_columns.ts';
import type { Row } from './sheet_values.ts';
import { cellText } from './sheet_values.ts';
import { isColumnShown } from './shown_columns.ts';
import type { RowSheet } from './sheet/use_sheet.ts';

interface RowQuestionsProps {
  props: WidgetProps;
  sheet: RowSheet;
  fixed: boolean;
  held: ReadonlySet<string>;
  rowHost: (index: number) => FieldHost | null;
}

/** Rows that are questions, on a phone: one at a time, and all answers in the end. */
export default function RowQuestions({ props, sheet, fixed, held, rowHost }: RowQuestionsProps) {
  const { id, field } = props;
  const { rows } = sheet;
  const errors = useContext(FieldErrorsContext);
  const found = useMemo(() => rowErrors(errors, field, rows.length), [errors, field, rows.length]);
  // What the server does not take is asked again.
  const wrong = [...found].find(([, messages]) => messages.size > 0)?.[0];
  const asked = useRef<FieldHost | null>(null);
  const noteHost = useCallback((host: FieldHost | null) => {
    asked.current = host;
  }, []);
  return (
    <OneByOne
      labelledBy={`${id}-label`}
      lines={rows.map((row, index) => ({
        key: sheet.keys[index] ?? index,
        text: questionText(field, row),
        answer: answerText(field, row),
        isAnswered: isAnswered(field, row),
        messages: [...(found.get(index)?.values() ?? [])],
      }))}
      wrong={wrong}
      beforeGo={() => asked.current && commitDrafts(asked.current)}
    >
      {(at) => (
        <Asked key={sheet.keys[at]} at={at} rowHost={rowHost} onHost={noteHost}>
          {(host) => <Answers field={field} sheet={sheet} index={at} host={host} fixed={fixed} held={held} />}
        </Asked>
      )}
    </OneByOne>
  );
}

/** The row that is asked, as a form of its own. */
function Asked({
  at,
  rowHost,
  onHost,
  children,
}: {
  at: number;
  rowHost: (index: number) => FieldHost | null;
  onHost: (host: FieldHost | null) => void;
  children: (host: FieldHost | null) => ReactNode;
}) {
  const host = useMemo(() => rowHost(at), [at, rowHost]);
  useEffect(() => onHost(host), [host, onHost]);
  return <FieldHostContext value={host}>{children(host)}</FieldHostContext>;
}

function Answers({
  field,
  sheet,
  index,
  host,
  fixed,
  held,
}: {
  field: Field;
  sheet: RowSheet;
  index: number;
  host: FieldHost | null;
  fixed: boolean;
  held: ReadonlySet<string>;
}) {
  const { answers, more = [] } = field.questions!;
  const columns = field.rows ?? [];
  const row = sheet.rows[index] ?? {};
  const fill = (names: string[]) =>
    names.flatMap((name) =>
      columns.filter((column) => column.name === name && isColumnShown(column, columns, row, host)),
    );
  const draw = (column: Field) => {
    const cell = { field, column, sheet, index, host, fixed: fixed || held.has(`${index}.${column.name}`) };
    const plain = () => <RowField key={column.name} {...cell} />;
    return hasChoices(column) && answers.includes(column.name) ? (
      <AnswerChips
        key={column.name}
        id={`row-${sheet.keys[index] ?? 0}-${column.name}`}
        column={column}
        host={host}
        value={row[column.name]}
        fixed={cell.fixed || column.readOnly}
        onChange={(value) => sheet.change(index, { [column.name]: value })}
        instead={plain}
      />
    ) : (
      plain()
    );
  };
  const besides = fill(more);
  return (
    <>
      {fill(answers).map(draw)}
      {besides.length > 0 && (
        <details className={styles.more} open={besides.some(({ name }) => (row[name] ?? '') !== '')}>
          <summary>{besides.map(({ title }) => title).join(', ')}</summary>
          {besides.map(draw)}
        </details>
      )}
    </>
  );
}

function questionText(field: Field, row: Row): string {
  const { question, number } = field.questions!;
  const text = (name: string | undefined) => {
    const column = field.rows?.find((one) => one.name === name);
    return column ? cellText(column, row) : '';
  };
  const of = text(number);
  return of === '' ? text(question) : `${text(question)} · ${of}`;
}

/** What is answered, in words. */
function answerText(field: Field, row: Row): string {
  return field
    .questions!.answers.flatMap((name) => field.rows?.find((one) => one.name === name) ?? [])
    .map((column) => (column.type === 'image' && row[column.name] != null ? 'Photo' : cellText(column, row)))
    .filter((text) => text !== '')
    .join(' · ');
}
