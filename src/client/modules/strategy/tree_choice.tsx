import { Field, MessageBar, MessageBarBody, Select } from '@fluentui/react-components';
import { BranchForkRegular } from '@fluentui/react-icons';
import { useSearchParams } from 'react-router-dom';
import { monthNames } from '../../../domain/month_names.ts';
import type { ImpactView } from '../../../domain/strategy/impact_view.ts';
import { EmptyState } from '../../app/page.tsx';

const AGAINST = {
  target: 'the target',
  month_before: 'the month before',
  year_before: 'the year before',
} as const;

/** The month of a view in words: "Oct 2026 against the target". */
export function viewWords({ month, against, isPart }: ImpactView): string {
  if (month === null) return '';
  const words = `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)} against ${AGAINST[against]}`;
  return isPart ? `${words}. Figures of your team.` : words;
}

/** A tree that has no figures for its reader. */
export function NoFigures({ view }: { view: ImpactView }) {
  return (
    <EmptyState
      icon={<BranchForkRegular />}
      title="No figures of your team"
      text={`The drivers of ${view.tree!.name} have no approved figures of your team in this month. Choose another month or tree.`}
    />
  );
}

/** Why impacts are not in percent. */
export function RootAtZero() {
  return (
    <MessageBar>
      <MessageBarBody>
        The root is at 0, so impacts have no percentage. They are shown as its change for 1 % of each driver.
      </MessageBarBody>
    </MessageBar>
  );
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
