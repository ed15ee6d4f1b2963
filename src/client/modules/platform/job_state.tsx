import { Badge } from '@fluentui/react-components';
import { formatMoment } from '../../../descriptor/format.ts';

const TONES = {
  done: 'success',
  sent: 'success',
  failed: 'danger',
  dead: 'danger',
  running: 'brand',
  sending: 'brand',
  retry: 'warning',
  cancelled: 'warning',
  suppressed: 'warning',
} as const;

/** A date and time, or a dash if there is none. */
export const moment = (at: string | null) => (at === null ? '–' : formatMoment(at));

/** The state of a run or a mail. */
export function JobState({ state }: { state: string }) {
  return (
    <Badge appearance="tint" color={TONES[state as keyof typeof TONES] ?? 'informative'}>
      {state.charAt(0).toUpperCase() + state.slice(1)}
    </Badge>
  );
}
