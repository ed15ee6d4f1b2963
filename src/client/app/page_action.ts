import type { ReactElement } from 'react';

/** A button of the page's header, or an entry of its "…" menu. */
export interface PageAction {
  label: string;
  icon?: ReactElement;
  onClick?: () => void;
  /** A link instead; Ctrl+click opens a tab. */
  to?: string;
  disabled?: boolean;
  /** Why it is disabled; shown as its tooltip. */
  reason?: string;
  /** In progress: shown on the button, which ignores further presses. */
  busy?: boolean;
  /** Destructive: separated in the "…" menu. */
  danger?: boolean;
  /** On a phone it is beside the main button instead of in the "…" menu. */
  besideMain?: boolean;
  /** Shown beside the label, e.g. "Ctrl+S". */
  shortcut?: string;
}
