import type { Screen } from '../../../descriptor/types.ts';
import type { Activity, Condition } from './list_address.ts';

/** What the filters of a list are drawn from, on a desk and on a phone. */
export interface FilterBarProps {
  screen: Screen;
  conditions: Condition[];
  active: Activity;
  /** One's own rows alone. */
  mine: boolean | string;
  onConditions: (conditions: Condition[]) => void;
  onAll: () => void;
  /** Left out where only records in use are meant. */
  onActive?: (active: Activity) => void;
}
