import { Field, Select } from '@fluentui/react-components';
import { useSearchParams } from 'react-router-dom';
import { monthNames } from '../../../domain/month_names.ts';
import type { ImpactView } from '../../../domain/strategy/impact_view.ts';

const AGAINST = {
  target: 'the target',
  month_before: 'the month before',
  year_before: 'the year before',
} as const;

/** The month of a view in words: "Oct 2026 against the target". */
export function viewWords({ month, against }: ImpactView): string {
  if (month === null) return '';
  return `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)} against ${AGAINST[against]}`;
}

/** Chooses one of the visible trees. */
export function TreeChoice({ view }: { view: ImpactView }) {
  const [search, setSearch] = useSearchParams();
  return (
    <Field label="Tree">
      <Select
        value={view.tree === null ? '' : String(view.tree.id)}
        onChange={(_, { value }) => {
          const query = new URLSearchParams(search);
          query.set('tree_id', value);
          setSearch(query, { replace: true });
        }}
      >
        {view.trees.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
