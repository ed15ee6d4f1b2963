import { Checked, ScreenCheck } from './check_context.ts';
import type { Draft } from './compile.ts';
import type { FunctionNames } from './function_names.ts';
import { screenWords } from './words/registry.ts';

/** Checks each draft against itself and all others; errors are reported to its source. */
export function checkScreens(drafts: Map<string, Draft>, fileNames: Set<string>, functions: FunctionNames): void {
  const all = new Checked(drafts, fileNames, functions);
  for (const draft of drafts.values()) {
    const check = new ScreenCheck(draft, all);
    for (const word of screenWords) word.check?.(check);
  }
}
