import { Button } from '@fluentui/react-components';
import { CheckmarkCircleFilled, CircleRegular, TextBulletListRegular } from '@fluentui/react-icons';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from '../widget.ts';
import { AnswerChips, hasChoices } from './AnswerChips.tsx';
import styles from './questions.module.css';
import { firstOpen, isAnswered } from './question_rows.ts';
import { RowField } from './RowField.tsx';
import { rowErrors } from './sheet_columns.ts';
import type { Row } from './sheet_values.ts';
import { cellText } from './sheet_values.ts';
import { isColumnShown } from './shown_columns.ts';
import type { Sheet } from './sheet/use_sheet.ts';

interface RowQuestionsProps {
  props: WidgetProps;
  sheet: Sheet;
  fixed: boolean;
  held: ReadonlySet<string>;
  rowHost: (index: number) => FieldHost | null;
}

/** Rows that are questions, on a phone: one at a time, and all answers in the end. */
export default function RowQuestions({ props, sheet, fixed, held, rowHost }: RowQuestionsProps) {
  const { id, field } = props;
  const { rows } = sheet;
  /** The question that is asked; null = all answers. */
  const [at, setAt] = useState<number | null>(() => {
    const open = firstOpen(field, rows);
    return open < 0 ? null : open;
  });
  const errors = useContext(FieldErrorsContext);
  const found = useMemo(() => rowErrors(errors, field, rows.length), [errors, field, rows.length]);
  // What the server does not take is asked again.
  const wrong = [...found].find(([, messages]) => messages.size > 0)?.[0];
  useEffect(() => {
    if (wrong !== undefined) setAt(wrong);
  }, [wrong]);
  const answered = rows.filter((row) => isAnswered(field, row)).length;
  const shown = at === null ? null : Math.min(at, rows.length - 1);
  const host = useMemo(() => (shown === null ? null : rowHost(shown)), [shown, rowHost]);
  const head = useRef<HTMLHeadingElement>(null);
  const go = (next: number | null) => {
    if (host) commitDrafts(host);
    setAt(next);
    // The next question is read out, and begins at the top.
    requestAnimationFrame(() => {
      head.current?.focus({ preventScroll: true });
      head.current?.scrollIntoView?.({ block: 'nearest' });
    });
  };
  return (
    <div className={styles.questions} role="group" aria-labelledby={`${id}-label`}>
      <div className={styles.progress}>
        <progress max={rows.length} value={answered} aria-label="Answered questions" />
        <span>
          {answered} of {rows.length} answered
        </span>
      </div>
      {shown === null ? (
        <>
          <h3 ref={head} tabIndex={-1} className={styles.question}>
            {answered === rows.length ? 'All questions are answered' : 'All questions'}
          </h3>
          <ul className={styles.review}>
            {rows.map((row, index) => (
              <li key={sheet.keys[index]}>
                <button type="button" className={styles.line} onClick={() => go(index)}>
                  {isAnswered(field, row) ? (
                    <CheckmarkCircleFilled className={styles.done} aria-hidden />
                  ) : (
                    <CircleRegular className={styles.open} aria-hidden />
                  )}
                  <span className={styles.lineText}>
                    <span>{questionText(field, row)}</span>
                    <span className={styles.answer}>{answerText(field, row) || 'Not answered'}</span>
                    {[...(found.get(index)?.values() ?? [])].map((message) => (
                      <span key={message} className={styles.wrong}>
                        {message}
                      </span>
                    ))}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {answered < rows.length && (
            <Button appearance="primary" onClick={() => go(firstOpen(field, rows))}>
              Next open question
            </Button>
          )}
        </>
      ) : (
        <>
          <p className={styles.count}>
            Question {shown + 1} of {rows.length}
          </p>
          <h3 ref={head} tabIndex={-1} className={styles.question}>
            {questionText(field, rows[shown] ?? {})}
          </h3>
          <FieldHostContext value={host}>
            <Answers
              key={sheet.keys[shown]}
              field={field}
              sheet={sheet}
              index={shown}
              host={host}
              fixed={fixed}
              held={held}
            />
          </FieldHostContext>
          <div className={styles.buttons}>
            <Button disabled={shown === 0} onClick={() => go(shown - 1)}>
              Back
            </Button>
            <Button icon={<TextBulletListRegular />} appearance="subtle" onClick={() => go(null)}>
              All
            </Button>
            <Button appearance="primary" onClick={() => go(shown < rows.length - 1 ? shown + 1 : null)}>
              {shown < rows.length - 1 ? 'Next' : 'Review'}
            </Button>
          </div>
        </>
      )}
    </div>
  );
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
  sheet: Sheet;
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
