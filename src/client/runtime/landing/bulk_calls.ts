import type { FieldError, RecordAction, Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { isProductsOwn } from '../../../descriptor/workflow.ts';
import { holds, scopeOf } from '../../../descriptor/validate.ts';
import { api } from '../../api/http.ts';

export interface BulkAnswer {
  changed: number[];
  errors: { id: number; message: string }[];
  /** Fields that were changed in no record, with the reasons. */
  not_taken?: FieldError[];
}

/** Sets the same values in several records. */
export async function bulkSet(type: string, records: WireRecord[], set: Record<string, unknown>): Promise<BulkAnswer> {
  const { data } = await api.put<{ data: BulkAnswer }>(`/tapi/${type}/bulk`, { ids: records.map(({ id }) => id), set });
  return data;
}

/** Deletes, deactivates or reactivates several records. */
export async function bulkChange(
  type: string,
  records: WireRecord[],
  mode: 'delete' | 'deactivate' | 'activate',
): Promise<BulkAnswer> {
  const { data } = await api.post<{ data: BulkAnswer }>(`/tapi/${type}/bulk_delete`, {
    ids: records.map(({ id }) => id),
    mode,
  });
  return data;
}

/** An action on several records at once, by name: a transition, or an action's call. */
export interface BulkStep {
  call: string;
  title: string;
  confirm?: string;
  /** A question that requires a text first. */
  reason?: string;
  /** The records to which it applies. */
  records: WireRecord[];
}

/** The bulk transitions of a descriptor, each with those of the selected records to which it applies. */
export function bulkSteps(screen: Screen, { rights }: ScreenRef, chosen: WireRecord[]): BulkStep[] {
  const { workflow } = screen;
  const steps = (workflow?.transitions ?? []).flatMap((transition): BulkStep[] => {
    const { name, title, from, bulk, ask, confirm, reason } = transition;
    if (!bulk || isProductsOwn(transition) || ask.some(({ required }) => required)) return [];
    const records = chosen.filter((record) => from.includes(String(record[workflow!.field])));
    return [
      {
        call: name,
        title,
        ...(confirm !== undefined && { confirm }),
        ...(reason !== undefined && { reason }),
        records,
      },
    ];
  });
  const actions = screen.actions.flatMap(
    ({ call, title, bulk, when, confirm, ask, page = 'edit_screen' }): BulkStep[] => {
      if (!bulk || call === undefined || !rights[page]) return [];
      const records = chosen.filter((record) => when === undefined || holds(when, scopeOf(screen.fields, record)));
      const [reason] = Object.values(ask ?? {});
      return [
        { call, title, ...(confirm !== undefined && { confirm }), ...(reason !== undefined && { reason }), records },
      ];
    },
  );
  return [...steps, ...actions].filter(({ records }) => records.length > 0);
}

/** The actions on a selection that apply to all selected records. */
export function selectionActions(screen: Screen, { rights }: ScreenRef, chosen: WireRecord[]): RecordAction[] {
  return screen.actions.filter(
    ({ on, when, browser, bulk, page = browser ? 'view_screen' : 'edit_screen' }) =>
      (on === 'selection' || (browser === 'files' && bulk === true)) &&
      rights[page] &&
      (browser !== undefined ? rights.export : rights.write || page === 'approval_screen') &&
      chosen.every((record) => when === undefined || holds(when, scopeOf(screen.fields, record))),
  );
}

/** Applies a transition to its records; a refusal by one does not stop the others. */
export async function bulkStep(type: string, { call, records }: BulkStep, reason: string | null): Promise<BulkAnswer> {
  const { data } = await api.post<{ data: BulkAnswer }>(`/tapi/${type}/bulk/${call}`, {
    ids: records.map(({ id }) => id),
    ...(reason !== null && { reason }),
  });
  return data;
}
