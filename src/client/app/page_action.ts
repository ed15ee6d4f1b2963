import type { ReactElement } from 'react';

/** A button of the page's header, or an entry of its "…" menu. */
export interface PageAction {
  label: string;
  icon?: ReactElement;
  onClick?: () => void;
  /** Goes there instead; Ctrl+click opens a tab. */
  to?: string;
  disabled?: boolean;
  /** Why it is disabled; shown as its tip. */
  reason?: string;
  /** Work is under way: shown on the button, which then takes no second press. */
  busy?: boolean;
  /** Something is lost: set apart in the "…" menu. */
  danger?: boolean;
  /** On a phone it stands beside the main button and not in the "…" menu. */
  besideMain?: boolean;
  /** Shown beside the label, e.g. "Ctrl+S". */
  shortcut?: string;
}
