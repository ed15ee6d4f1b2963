import { Switch } from '@fluentui/react-components';
import { TableHead } from '../../app/table_head.tsx';
import type { ModuleRow, ScreenRow } from './rights_matrix.ts';
import { PAGES } from './rights_matrix.ts';
import styles from './rights.module.css';

/** The modules of a role. */
export default function RightsModules({
  rows,
  screens,
  onChange,
}: {
  rows: ModuleRow[];
  screens: ScreenRow[];
  onChange: (code: string, more: Partial<ModuleRow>) => void;
}) {
  return (
    <div className={styles.frame} data-both>
      <table className={styles.matrix}>
        <TableHead columns={['Module', { wide: 'Product' }, 'Open', 'Hide all its screens', 'Screens ticked']} />
        <tbody>
          {rows.map((row) => {
            const own = screens.filter((screen) => screen.modules.includes(row.module_code));
            return (
              <tr key={row.module_code} data-row data-off={!row.bought || undefined}>
                <th scope="row">
                  <span className={styles.name}>
                    {row.module_name}
                    {!row.bought && <span className={styles.closed}>the product is not bought</span>}
                  </span>
                </th>
                <td data-wide>{row.product?.replace('MS_', '') ?? 'any'}</td>
                <td>
                  <Switch
                    aria-label={`${row.module_name} open`}
                    checked={row.active}
                    disabled={!row.bought}
                    onChange={(_, { checked }) => onChange(row.module_code, { active: checked })}
                  />
                </td>
                <td>
                  <Switch
                    aria-label={`Hide all screens of ${row.module_name}`}
                    checked={row.hide_all}
                    disabled={!row.active}
                    onChange={(_, { checked }) => onChange(row.module_code, { hide_all: checked })}
                  />
                </td>
                <td>
                  {own.filter((screen) => PAGES.some((page) => screen[page])).length} of {own.length}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
