import { MessageBar } from '@fluentui/react-components';
import { formatNumber } from '../../../descriptor/format.ts';

/** Says that a look does not show all. */
export function MoreNote({ shown }: { shown: number }) {
  return (
    <MessageBar intent="warning" style={{ flex: 'none', marginBottom: 12 }}>
      The first {formatNumber(shown)} are shown. Search or filter to see the others.
    </MessageBar>
  );
}
