import type { Interval } from '../../../domain/report_schedule.ts';

/** The request format of a subscription. */
export interface AskedSubscription {
  parameters: Readonly<Record<string, string>>;
  format: 'pdf' | 'xlsx';
  every: Interval;
  day: number | null;
  hour: number;
  people: number[];
  roles: number[];
  paused: boolean;
}

/** A subscription as the server shows it. */
export interface ShownSubscription extends AskedSubscription {
  id: number;
  owner_id__label: string | null;
  people__label: string[];
  roles__label: string[];
  next_at: string;
  sent_at: string | null;
  /** Why it was not sent to everybody; null = it was. */
  problem: string | null;
  /** Recipients who unsubscribed. */
  left_by__label: string[];
}

/** Another person's subscription that sends the report to this person. */
export interface Received extends Pick<
  AskedSubscription,
  'parameters' | 'format' | 'every' | 'day' | 'hour' | 'paused'
> {
  id: number;
  owner_id__label: string | null;
  next_at: string;
  /** They no longer want it. */
  has_left: boolean;
}

export const askedOf = ({
  parameters,
  format,
  every,
  day,
  hour,
  people,
  roles,
  paused,
}: AskedSubscription): AskedSubscription => ({ parameters, format, every, day, hour, people, roles, paused });
