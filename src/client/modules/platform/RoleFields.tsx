import { Link, Select } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { FIELD_ACCESSES, FIELD_ACCESS_WORDS } from '../../../domain/field_access.ts';
import type { FieldAccess } from '../../../domain/field_access.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import type { FieldLine, Matrix } from './rights_matrix.ts';
import { PAGES, sameField } from './rights_matrix.ts';
import styles from './rights.module.css';

interface FieldOfType {
  name: string;
  title: string;
  /** The field is required, so people who add records must be able to write it. */
  must: boolean;
  /** Why it cannot be restricted like this; null = it can. */
  reasons: Record<FieldAccess, string | null>;
}

/** Most permissive first, because most fields have that access. */
const CHOICES = [...FIELD_ACCESSES].reverse();

/** The fields hidden from a role: all of them, or those of one list to choose from. */
export default function RoleFields({ draft, onChange }: { draft: Matrix; onChange: (line: FieldLine) => void }) {
  const [type, setType] = useState('');
  const fields = draft.fields ?? [];
  const ticked = useMemo(
    () => new Set(draft.screens.filter((row) => PAGES.some((page) => row[page])).map((row) => row.screen_code)),
    [draft.screens],
  );
  const adding = useMemo(
    () => new Set(draft.screens.filter((row) => row.add_screen).map((row) => row.screen_code)),
    [draft.screens],
  );
  const types = draft.record_types ?? [];
  const [given, others] = [
    types.filter(({ screens }) => screens.some((code) => ticked.has(code))),
    types.filter(({ screens }) => !screens.some((code) => ticked.has(code))),
  ];
  const chosen = types.find(({ name }) => name === type);
  const count = (name: string) => fields.filter((line) => line.record_type === name).length;
  const option = ({ name, plural }: { name: string; plural: string }) => (
    <option key={name} value={name}>
      {plural}
      {count(name) > 0 ? ` (${count(name)})` : ''}
    </option>
  );
  return (
    <>
      <div className={styles.filters}>
        <Select aria-label="List" value={type} onChange={(_, { value }) => setType(value)}>
          <option value="">All restricted fields</option>
          {given.length > 0 && <optgroup label="Lists of this role">{given.map(option)}</optgroup>}
          {others.length > 0 && <optgroup label="Other lists">{others.map(option)}</optgroup>}
        </Select>
        <span className={styles.count}>
          Fields without an entry here may be read and changed. If several roles include a list, the widest access
          applies.
        </span>
      </div>
      {chosen ? (
        <FieldsOfType
          key={type}
          type={type}
          plural={chosen.plural}
          adds={chosen.screens.some((code) => adding.has(code))}
          fields={fields}
          onChange={onChange}
        />
      ) : (
        <Kept
          fields={fields}
          names={new Map(types.map(({ name, plural }) => [name, plural]))}
          onOpen={setType}
          onChange={onChange}
        />
      )}
    </>
  );
}

/** The restricted fields of all lists. */
function Kept({
  fields,
  names,
  onOpen,
  onChange,
}: {
  fields: FieldLine[];
  names: ReadonlyMap<string, string>;
  onOpen: (type: string) => void;
  onChange: (line: FieldLine) => void;
}) {
  const lines = [...fields].sort(
    (a, b) =>
      (names.get(a.record_type) ?? a.record_type).localeCompare(names.get(b.record_type) ?? b.record_type) ||
      a.title.localeCompare(b.title),
  );
  return (
    <div className={styles.frame}>
      {lines.length === 0 ? (
        <p className={styles.none}>
          This role restricts no fields. Choose a list to hide some of its fields or to make them read-only.
        </p>
      ) : (
        <table className={styles.matrix}>
          <TableHead columns={['Field', 'People with this role']} />
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.record_type}.${line.field}`} data-row>
                <th scope="row">
                  <span className={styles.name}>
                    {line.title}
                    <Link as="button" onClick={() => onOpen(line.record_type)}>
                      {names.get(line.record_type) ?? line.record_type}
                    </Link>
                  </span>
                </th>
                <td>
                  <select
                    className={styles.scope}
                    aria-label={`${line.title} of ${names.get(line.record_type) ?? line.record_type}`}
                    value={line.access}
                    onChange={(event) => onChange({ ...line, access: event.target.value as FieldAccess })}
                  >
                    {[line.access, 'write' as const].map((access) => (
                      <option key={access} value={access}>
                        {FIELD_ACCESS_WORDS[access]}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function FieldsOfType({
  type,
  plural,
  adds,
  fields,
  onChange,
}: {
  type: string;
  plural: string;
  adds: boolean;
  fields: FieldLine[];
  onChange: (line: FieldLine) => void;
}) {
  const { data, error, mutate } = useSWR(
    `/tapi/role_fields/${type}`,
    async (path: string) => (await api.get<{ data: FieldOfType[] }>(path, undefined, { quiet: true })).data,
  );
  if (error)
    return (
      <ErrorView error={error} title={`The fields of ${plural} could not be loaded.`} retry={() => void mutate()} />
    );
  if (!data) return <Skeleton rows={8} />;
  return (
    <div className={styles.frame}>
      <table className={styles.matrix}>
        <TableHead columns={[`Field of ${plural}`, 'People with this role']} />
        <tbody>
          {data.map(({ name, title, must, reasons }) => {
            const line: FieldLine = { record_type: type, field: name, title, access: 'write' };
            const access = fields.find((one) => sameField(one, line))?.access ?? 'write';
            const reasonFor = (one: FieldAccess) =>
              reasons[one] ??
              (one === 'read' && must && adds ? `${title} must be filled in, so who adds records writes it.` : null);
            const possible = CHOICES.filter((one) => one === access || reasonFor(one) === null);
            return (
              <tr key={name} data-row data-changed={access !== 'write' || undefined}>
                <th scope="row">
                  <span className={styles.name}>{title}</span>
                </th>
                <td>
                  {possible.length > 1 ? (
                    <select
                      className={styles.scope}
                      aria-label={`${title} of ${plural}`}
                      value={access}
                      onChange={(event) => onChange({ ...line, access: event.target.value as FieldAccess })}
                    >
                      {possible.map((one) => (
                        <option key={one} value={one}>
                          {FIELD_ACCESS_WORDS[one]}
                        </option>
                      ))}
                    </select>
                  ) : (
                    <span className={styles.count}>{reasonFor('hidden') ?? FIELD_ACCESS_WORDS[access]}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
