import { humanise } from '../../../descriptor/humanise.ts';
import type { Screen } from '../../../descriptor/types.ts';

/** What a state of a type is called where people read it. */
export function stateTitle(screens: ReadonlyMap<string, Screen>, type: string, state: string): string {
  return screens.get(type)?.workflow?.states.find(({ name }) => name === state)?.title ?? humanise(state);
}
