import type { Screen } from '../../../descriptor/types.ts';
import type { Activity, Condition } from './list_address.ts';

/** The properties of a list's filters, on desktop and phone. */
export interface FilterBarProps {
  screen: Screen;
  conditions: Condition[];
  active: Activity;
  /** One's own rows alone. */
  mine: boolean | string;
  onConditions: (conditions: Condition[]) => void;
  onAll: () => void;
  /** Absent if only active records are wanted. */
  onActive?: (active: Activity) => void;
}
