import { Link } from 'react-router-dom';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { FieldValue } from '../fields/display.tsx';
import { cellText, recordLabel } from './cell_text.ts';
import type { ShownColumn } from './column_state.ts';
import styles from './group_lines.module.css';

/** A few rows of a list as a small table within a page; the first column links to the record. */
export function RowsTable({
  title,
  columns,
  rows,
  screen,
  address,
}: {
  title: string;
  columns: ShownColumn[];
  rows: WireRecord[];
  screen: Screen;
  address: (record: WireRecord) => string | null;
}) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {columns.map(({ field, title: head }) => (
              <th key={field.name} scope="col" data-right={isRight(field.type) || undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((record) => {
            const to = address(record);
            return (
              <tr key={record.id}>
                {columns.map(({ field }, at) => (
                  <td key={field.name} data-right={isRight(field.type) || undefined}>
                    {at === 0 && to !== null ? (
                      <Link to={to}>{cellText(field, record) || recordLabel(screen, record)}</Link>
                    ) : (
                      <FieldValue field={field} value={record[field.name]} record={record} plain />
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const isRight = (type: string): boolean => fieldType(type).align === 'right';
