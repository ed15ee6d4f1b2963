import { MessageBar, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { api } from '../../api/http.ts';

interface Props {
  type: string;
  /** Changes when the list is reloaded. */
  read: unknown;
}

/** Above a list of bands: the gaps between them. Nothing while there are none. */
export default function BandGaps({ type, read }: Props) {
  const [gaps, setGaps] = useState<string[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    api
      .get<{ data: string[] }>(`/tapi/${type}/gaps`, undefined, { signal: stop.signal })
      .then(({ data }) => setGaps(data))
      // The list works without them.
      .catch(() => undefined);
    return () => stop.abort();
  }, [type, read]);
  if (gaps.length === 0) return null;
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{gaps.length === 1 ? 'There is a gap.' : `There are ${gaps.length} gaps.`}</MessageBarTitle>
        {gaps.map((gap) => (
          <div key={gap}>{gap}</div>
        ))}
      </MessageBarBody>
    </MessageBar>
  );
}
