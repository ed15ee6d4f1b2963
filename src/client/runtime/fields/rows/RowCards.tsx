import { Button } from '@fluentui/react-components';
import { AddRegular, ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useContext, useMemo } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import type { WidgetProps } from '../widget.ts';
import { FieldErrorsContext, useFieldHost } from '../widget.ts';
import styles from './rows.module.css';
import { rowErrors } from './sheet_columns.ts';
import { cellText, hasActions, totals } from './sheet_values.ts';
import type { Row } from './sheet_values.ts';
import type { Line, RowSheet, Sheet } from './sheet/use_sheet.ts';

const RowsActions = lazy(() => import('./RowsActions.tsx'));

interface RowCardsProps {
  props: WidgetProps;
  columns: Field[];
  sheet: Sheet;
  /** The rows of the list by index. */
  list: RowSheet;
  max: number;
  fixed: boolean;
  onOpen: (index: number) => void;
}

/** Child rows on a phone: one card per row, opened as a form. */
export default function RowCards({ props, columns, sheet, list, max, fixed, onOpen }: RowCardsProps) {
  const { id, field } = props;
  const { rows, keys } = sheet;
  const errors = useContext(FieldErrorsContext);
  const count = list.rows.length;
  const found = useMemo(() => rowErrors(errors, field, count), [errors, field, count]);
  const host = useFieldHost();
  const values = host?.values;
  const sums = totals(list.rows, columns, values);
  return (
    <div className={styles.sheet} role="group" aria-labelledby={`${id}-label`}>
      <ul className={styles.cards}>
        {rows.map((row, line) => {
          const at = sheet.tree?.lines[line];
          if (at?.group)
            return (
              <GroupCard
                key={keys[line]}
                line={at}
                row={row}
                columns={columns}
                onToggle={() => sheet.tree?.toggle(line)}
              />
            );
          const index = at?.at ?? line;
          const [title = '', ...facts] = columns
            .map((column) => cellText(column, row, values))
            .filter((text) => text !== '');
          const shown = columns
            .map((column) => ({ column, text: cellText(column, row, values) }))
            .filter(({ text }) => text !== '')
            .slice(1, 4);
          const wrong = [...(found.get(index)?.values() ?? [])];
          return (
            <li key={keys[line]}>
              <button
                type="button"
                className={styles.card}
                data-bad={wrong.length > 0 ? '' : undefined}
                onClick={() => onOpen(index)}
              >
                <span className={styles.cardTitle}>
                  {title === '' && facts.length === 0 ? `Row ${index + 1}` : title}
                </span>
                {shown.map(({ column, text }) => (
                  <span key={column.name} className={styles.cardFact}>
                    <b>{column.title}</b> {text}
                  </span>
                ))}
                {wrong.map((message) => (
                  <span key={message} className={styles.cardError}>
                    {message}
                  </span>
                ))}
              </button>
            </li>
          );
        })}
      </ul>
      {rows.length === 0 && (fixed || field.givenRows) && <p className={styles.empty}>No rows.</p>}
      {sums.size > 0 && count > 1 && (
        <p className={styles.totals}>
          {columns.map(
            (column) =>
              sums.has(column.name) && <span key={column.name}>{`${column.title}: ${sums.get(column.name)}`}</span>,
          )}
        </p>
      )}
      {!fixed && !field.givenRows && (
        <Button
          icon={<AddRegular />}
          disabled={count >= max}
          onClick={() => {
            sheet.insert(rows.length);
            onOpen(count);
          }}
        >
          Add row
        </Button>
      )}
      {!fixed && host && hasActions(host.screen, field.name) && (
        <Suspense fallback={null}>
          <RowsActions host={host} field={field.name} rows={[]} />
        </Suspense>
      )}
    </div>
  );
}

/** A group of a tree: a collapsible heading with its subtotals. */
function GroupCard({
  line: { group, depth },
  row,
  columns,
  onToggle,
}: {
  line: Line;
  row: Row;
  columns: Field[];
  onToggle: () => void;
}) {
  const facts = columns.filter((column) => column.name in row).slice(-3);
  return (
    <li>
      <button
        type="button"
        className={styles.groupCard}
        aria-expanded={group!.open}
        style={{ paddingInlineStart: 8 + depth * 12 }}
        onClick={onToggle}
      >
        <span className={styles.cardTitle}>
          {group!.open ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />} {group!.label}
        </span>
        {facts.map((column) => (
          <span key={column.name} className={styles.cardFact}>
            <b>{column.title}</b> {cellText(column, row)}
          </span>
        ))}
      </button>
    </li>
  );
}
