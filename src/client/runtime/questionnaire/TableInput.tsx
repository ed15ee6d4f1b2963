import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { formOf } from '../../../domain/questionnaire/answer_form.ts';
import { pointsOf } from '../../../domain/questionnaire/question.ts';
import type { Column } from '../../../domain/questionnaire/question.ts';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';
import { TextBox } from './TextInput.tsx';

type Cells = Record<string, unknown>;

const cellsOf = (value: unknown): Cells => (typeof value === 'object' && value !== null ? (value as Cells) : {});

/** The columns of a table: those of the author, or the points of its scale. */
function columnsOf({ asked: { question } }: QuestionProps): Column[] {
  if (question.type !== 'matrix_rating') return question.columns;
  const [low, high] = pointsOf(question)!;
  return Array.from({ length: high - low + 1 }, (_, at) => ({ code: String(low + at), label: String(low + at) }));
}

const shownAs = ({ input }: Column, value: unknown): string =>
  input === 'date' ? dayFirst(value ?? '') : String(value ?? '');

/** Rows with an answer each; narrow screens show them one below the other. */
export function TableInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const { question, rows } = asked;
  const cells = cellsOf(asked.value);
  const columns = columnsOf(props);
  const set = (row: string, value: unknown) => {
    const { [row]: _before, ...others } = cells;
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    onChange(isEmpty ? others : { ...others, [row]: value });
  };
  const chosen = (row: string, column: string): boolean => {
    const cell = cells[row];
    return Array.isArray(cell) ? cell.includes(column) : String(cell ?? '') === column;
  };
  const choose = (row: string, column: string) => {
    if (question.type === 'matrix_multiple') {
      const list = Array.isArray(cells[row]) ? (cells[row] as string[]) : [];
      return set(row, list.includes(column) ? list.filter((one) => one !== column) : [...list, column]);
    }
    set(row, question.type === 'matrix_rating' ? Number(column) : column);
  };
  const entries = question.type === 'matrix_input';
  return (
    <div className={styles.tableFrame}>
      <table className={styles.table} {...named(props)}>
        <thead>
          <tr>
            <th aria-label="Line" />
            {columns.map(({ code, label }) => (
              <th key={code} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.code}>
              <th scope="row">{row.label}</th>
              {columns.map((column) => (
                <td key={column.code} data-label={column.label}>
                  {entries ? (
                    <TextBox
                      id={`${id}-${row.code}-${column.code}`}
                      label={`${row.label}: ${column.label}`}
                      {...(column.input === 'date' && { placeholder: 'DD-MM-YYYY' })}
                      value={shownAs(column, cellsOf(cells[row.code])[column.code])}
                      fixed={fixed}
                      check={(typed) => {
                        const formed = formOf(question, { [row.code]: { [column.code]: typed } });
                        return 'error' in formed ? formed.error : null;
                      }}
                      onChange={(value) => {
                        const { [column.code]: _before, ...others } = cellsOf(cells[row.code]);
                        const line = value === null ? others : { ...others, [column.code]: value };
                        set(row.code, Object.keys(line).length === 0 ? null : line);
                      }}
                    />
                  ) : (
                    <label className={styles.cell}>
                      <input
                        type={question.type === 'matrix_multiple' ? 'checkbox' : 'radio'}
                        name={`${id}-${row.code}`}
                        checked={chosen(row.code, column.code)}
                        disabled={fixed}
                        aria-label={`${row.label}: ${column.label}`}
                        onChange={() => choose(row.code, column.code)}
                      />
                      <span aria-hidden>{column.label}</span>
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Several texts, each with a label. */
export function SeveralTexts(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const cells = cellsOf(asked.value);
  return (
    <div role="group" className={styles.list} {...named(props)}>
      {asked.rows.map(({ code, label }) => (
        <label key={code} className={styles.named} htmlFor={`${id}-${code}`}>
          <span>{label}</span>
          <TextBox
            id={`${id}-${code}`}
            value={String(cells[code] ?? '')}
            fixed={fixed}
            onChange={(value) => {
              const { [code]: _before, ...others } = cells;
              onChange(value === null ? others : { ...others, [code]: value });
            }}
          />
        </label>
      ))}
    </div>
  );
}
