import { referrer } from '../../../descriptor/own_rows.ts';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { Refusal, Session } from '../context.ts';
import { AppError } from '../../db/errors.ts';

function forbidden(refusal: Refusal): AppError {
  return new AppError(403, 'forbidden', refusal.message, { reason: refusal.reason });
}

/**
 * Checks that the session may use a page of a screen; otherwise throws 403 `forbidden` with the layer that refused as
 * the reason. `action`: the action code required besides the page, e.g. `screen.access.action` for writes; null or
 * absent = none.
 */
export function authorize(session: Session, screen: Screen, page: PageType, action: string | null = null): void {
  if (page !== 'landing') refuseView(screen);
  if (page === 'add_screen' || page === 'edit_screen') refuseWritten(screen);
  const refusal = session.rights.refuse(screen, page) ?? session.rights.refuseAction(action);
  if (refusal) throw forbidden(refusal);
}

/** A view only has a list: its records are derived from others. */
function refuseView({ kind, plural }: Screen): void {
  if (kind === 'view')
    throw new AppError(403, 'forbidden', `“${plural}” is a list of other records. Open one of those.`, {
      reason: 'screen',
    });
}

/** Records written by functions of modules are read-only for people. */
function refuseWritten({ written, plural }: Screen): void {
  if (written)
    throw new AppError(
      403,
      'forbidden',
      `${plural} are kept by the product. They change by the documents that they come from.`,
      {
        reason: 'screen',
      },
    );
}

/** Checks that the session may use one of several pages: a record may be read for viewing or editing. */
export function authorizeAny(session: Session, screen: Screen, pages: PageType[]): void {
  if (!pages.includes('landing')) refuseView(screen);
  let first: Refusal | null = null;
  for (const page of pages) {
    const refusal = session.rights.refuse(screen, page);
    if (refusal === null) return;
    first ??= refusal;
  }
  if (first) throw forbidden(first);
}

/** Checks that the session has an action code, e.g. EXPORT_DATA. */
export function authorizeAction(session: Session, action: string): void {
  const refusal = session.rights.refuseAction(action);
  if (refusal) throw forbidden(refusal);
}

/**
 * Checks that the session may look up a type's records for a reference field: people who may list the type, and people
 * who may add, edit or view records of a screen that refers to it.
 */
export function authorizeLookUp(session: Session, screens: Map<string, Screen>, screen: Screen): void {
  const refusal = session.rights.refuse(screen, 'landing');
  if (refusal === null) return;
  const pages: PageType[] = ['add_screen', 'edit_screen', 'view_screen', 'landing'];
  for (const { type, field } of screen.referredBy) {
    const asking = screens.get(type);
    // A field that nobody fills in needs no look-up.
    if (asking && referrer(asking, field)?.readOnly === true) continue;
    if (asking && pages.some((page) => session.rights.refuse(asking, page) === null)) return;
  }
  throw forbidden(refusal);
}

/** Admits only administrators. */
export function authorizeAdmin(session: Session): void {
  if (session.rights.isAdmin) return;
  throw new AppError(403, 'forbidden', 'Only an administrator may do this.', { reason: 'action' });
}
