import { Checked, ScreenCheck } from './check_context.ts';
import type { Draft } from './compile.ts';
import { screenWords } from './words/registry.ts';

/** Checks each draft against itself and all the others; what is wrong is noted in its source. */
export function checkScreens(drafts: Map<string, Draft>, fileNames: Set<string>): void {
  const all = new Checked(drafts, fileNames);
  for (const draft of drafts.values()) {
    const check = new ScreenCheck(draft, all);
    for (const word of screenWords) word.check?.(check);
  }
}
