import { CheckmarkCircleRegular, DocumentTableRegular, SearchRegular } from '@fluentui/react-icons';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState } from '../../app/page.tsx';

/** An empty list explains its purpose, or why it shows nothing. */
export default function Nothing({
  narrowed,
  inactive,
  plural,
  purpose,
  empty,
  first,
  onClear,
  onAll,
}: {
  narrowed: boolean;
  inactive: boolean;
  plural: string;
  purpose?: string;
  /** The text of the chosen view when it is empty. */
  empty?: string;
  first: PageAction[];
  onClear: () => void;
  onAll: () => void;
}) {
  if (empty !== undefined) return <EmptyState icon={<CheckmarkCircleRegular />} title={empty} />;
  if (narrowed) {
    return (
      <EmptyState
        icon={<SearchRegular />}
        title={`No ${plural} match`}
        text="No results for this search with these filters."
        actions={[{ label: 'Clear search and filters', onClick: onClear }]}
      />
    );
  }
  if (inactive)
    return <EmptyState title={`No inactive ${plural}`} actions={[{ label: 'Show those in use', onClick: onAll }]} />;
  return (
    <EmptyState
      icon={<DocumentTableRegular />}
      title={`No ${plural} yet`}
      {...(purpose && { text: purpose })}
      actions={first}
    />
  );
}
