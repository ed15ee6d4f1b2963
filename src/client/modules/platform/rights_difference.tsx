import { codeTitle } from '../../../domain/code_title.ts';
import { FIELD_ACCESS_WORDS } from '../../../domain/field_access.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import { menu } from '../../api/screens.ts';
import { TableHead } from '../../app/table_head.tsx';
import type { PageName, Scope } from './rights_matrix.ts';
import { PAGES, PAGE_TITLES, SCOPES } from './rights_matrix.ts';
import styles from './rights.module.css';

type Right = { data_scope: Scope } & Record<PageName, boolean>;

export interface Difference {
  left: { role_name: string };
  right: { role_name: string };
  screens: { screen_code: string; name: string; left: Right | null; right: Right | null }[];
  modules: {
    module_code: string;
    module_name: string;
    left: { active: boolean; hide_all: boolean } | null;
    right: { active: boolean; hide_all: boolean } | null;
  }[];
  actions: { code: string; left: boolean; right: boolean }[];
  fields: { record_type: string; field: string; left: FieldAccess; right: FieldAccess }[];
}

const rightWords = (right: Right | null) =>
  right
    ? `${PAGES.filter((page) => right[page])
        .map((page) => PAGE_TITLES[page])
        .join(', ')} (${SCOPES[right.data_scope].toLowerCase()})`
    : '–';
const moduleWords = (module: { active: boolean; hide_all: boolean } | null) =>
  module?.active ? (module.hide_all ? 'open, all hidden' : 'open') : '–';

export const isSame = ({ screens, modules, actions, fields }: Difference) =>
  screens.length + modules.length + actions.length + fields.length === 0;

/** The differences of two sets of rights, side by side. */
export function DifferenceTable({ difference }: { difference: Difference }) {
  const lines = linesOf(difference);
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label="Differences">
      <table className={`${styles.matrix} ${styles.differences}`} data-log>
        <TableHead
          columns={[
            `${lines.length} ${lines.length === 1 ? 'difference' : 'differences'}`,
            difference.left.role_name,
            difference.right.role_name,
          ]}
        />
        <tbody>
          {lines.map(({ key, name, left, right }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{left}</td>
              <td>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function linesOf({
  screens,
  modules,
  actions,
  fields,
}: Difference): { key: string; name: string; left: string; right: string }[] {
  return [
    ...modules.map((row) => ({
      key: row.module_code,
      name: `Module ${row.module_name}`,
      left: moduleWords(row.left),
      right: moduleWords(row.right),
    })),
    ...screens.map((row) => ({
      key: row.screen_code,
      name: row.name,
      left: rightWords(row.left),
      right: rightWords(row.right),
    })),
    ...actions.map((row) => ({
      key: row.code,
      name: `Action: ${codeTitle(row.code)}`,
      left: row.left ? 'given' : '–',
      right: row.right ? 'given' : '–',
    })),
    ...fields.map((row) => ({
      key: `${row.record_type}.${row.field}`,
      name: `Field of ${menu.get().screens.find(({ name }) => name === row.record_type)?.plural ?? codeTitle(row.record_type)}: ${codeTitle(row.field)}`,
      left: FIELD_ACCESS_WORDS[row.left],
      right: FIELD_ACCESS_WORDS[row.right],
    })),
  ];
}
