import { AddRegular, TableRegular } from '@fluentui/react-icons';
import type { ReactElement, ReactNode } from 'react';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatNumber } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { LookName } from '../../../descriptor/types.ts';
import type { ApiError } from '../../api/http.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone } from '../../app/session.ts';
import { FilterBar } from '../landing/FilterBar.tsx';
import { useLandingKeys } from '../landing/landing_keys.ts';
import landing from '../landing/landing.module.css';
import { isNarrowed } from '../landing/list_address.ts';
import { QuickSearch } from '../landing/QuickSearch.tsx';
import { useListState } from '../landing/use_list_state.ts';
import type { PageProps } from '../page_props.ts';
import { lookActions, lookAddress, lookTitles } from './look_titles.tsx';

/**
 * The frame of every look: header, search, filters and count of the list, and the text while it is empty. `count`:
 * records shown; null = loading. `empty`: false if the look is useful without records.
 */
export function LookFrame({
  screen,
  access,
  query,
  look,
  count,
  more = false,
  empty = true,
  error,
  retry,
  layout,
  children,
}: Pick<PageProps, 'screen' | 'access' | 'query'> & {
  look: LookName;
  count: number | null;
  /** There are more records than are shown. */
  more?: boolean;
  empty?: boolean;
  error: ApiError | null;
  retry: () => void;
  layout?: 'page' | 'fill';
  children: ReactNode;
}) {
  const phone = usePhone();
  const navigate = useNavigate();
  const [state, change] = useListState(screen.fields);
  const search = useRef<HTMLInputElement>(null);
  const { rights, routes } = access;
  const addAddress = routes.add !== null && rights.add_screen && rights.write ? routes.add : null;
  useLandingKeys({
    '/': () => search.current?.focus(),
    n: addAddress === null ? null : () => void navigate(addAddress),
  });
  const plural = inSentence(screen.plural);
  const { label, icon } = lookTitles[look];
  const picture: ReactElement = <MenuIcon name={icon} />;
  const add: PageAction | undefined =
    addAddress === null
      ? undefined
      : { label: `Add ${inSentence(screen.title)}`, icon: <AddRegular />, to: addAddress, shortcut: 'N' };
  const others: PageAction[] = [
    { label: 'List', icon: <TableRegular />, to: lookAddress(routes.landing, query, null) },
    ...lookActions(access, query, look),
  ];
  return (
    <Page
      title={access.plural}
      layout={layout ?? (phone ? 'page' : 'fill')}
      {...(add && { primary: add })}
      secondary={others}
    >
      <PageBody>
        <div className={landing.tools}>
          <QuickSearch
            inputRef={search}
            value={state.q}
            label={`Search ${plural}`}
            onChange={(q) => change({ q }, 'replace')}
          />
          <FilterBar
            screen={screen}
            conditions={state.conditions}
            active={state.active}
            mine={state.mine}
            onAll={() => change({ mine: false })}
            onConditions={(conditions) => change({ conditions })}
            onActive={(active) => change({ active })}
          />
          <output className={landing.count} aria-label={count === null ? 'Counting' : `${count} records`}>
            {count === null ? '' : `${formatNumber(count)}${more ? '+' : ''}`}
          </output>
        </div>
        {error && count === null ? (
          <ErrorView
            error={error}
            title={`The ${label.toLowerCase()} of ${plural} could not be loaded.`}
            retry={retry}
          />
        ) : count === null ? (
          <Skeleton rows={8} label={`Loading ${plural}`} />
        ) : count === 0 && empty ? (
          <EmptyState
            icon={picture}
            title={isNarrowed(state) ? `No ${plural} match` : `No ${plural} yet`}
            {...(screen.description && { text: screen.description })}
            actions={
              isNarrowed(state)
                ? [{ label: 'Clear search and filters', onClick: () => change({ q: '', conditions: [], mine: false }) }]
                : add
                  ? [{ ...add, shortcut: '' }]
                  : []
            }
          />
        ) : (
          children
        )}
      </PageBody>
    </Page>
  );
}
