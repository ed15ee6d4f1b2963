import { MessageBar, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { useOthersRefused } from './others_refused.ts';

/** On the page of a record: what others did to it offline and was refused. */
export default function RefusedHere({ screen, id }: { screen: Screen; id: string }) {
  const { acts = [] } = useOthersRefused({ type: screen.name, id });
  return acts.map(({ key, by, by__label: who, do: name, done_at: at, message }) => {
    const step = screen.workflow?.transitions.find((one) => one.name === name)?.title;
    return (
      <MessageBar key={`${by}/${key}`} intent="warning" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>
            {step === undefined ? 'A change' : `“${step}”`}, made offline by {who} on {formatMoment(at)}, was refused.
          </MessageBarTitle>
          {message} {who} can correct it and send it again
          {step === undefined ? '.' : `, or you can choose “${step}” here after correcting the record.`}
        </MessageBarBody>
      </MessageBar>
    );
  });
}
