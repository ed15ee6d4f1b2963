import { formatNumber } from '../../../descriptor/format.ts';
import type { Make } from '../../../descriptor/makes.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { api } from '../../api/http.ts';
import { loadScreen, menu } from '../../api/screens.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';
import { recordName } from '../form/values.ts';

/**
 * The records that can be created from a record, as buttons: they open the prefilled form, or create one of each at
 * once.
 */
export function makeActions(screen: Screen, record: WireRecord, reload: () => void): PageAction[] {
  const offered = (record._makes as OfferedStep[] | undefined) ?? [];
  return offered.flatMap(({ name }): PageAction[] => {
    const make = screen.makes?.find((one) => one.name === name);
    const add = menu.get().screens.find((one) => one.name === make?.to)?.routes.add;
    const icon = <MenuIcon name={make?.icon} fallback="DocumentAdd" />;
    if (make?.each) return [{ label: make.title, icon, onClick: () => void makeAll(screen, make, record, reload) }];
    if (!make || !add) return [];
    return [
      {
        label: make.title,
        icon,
        to: `${add}?from=${screen.name}/${record.id}&make=${name}`,
      },
    ];
  });
}

/** The number of names shown in the preview. */
const MAX_NAMES_SHOWN = 8;

/** Previews the documents, and creates them once the user confirms. The call itself reports an error. */
async function makeAll(screen: Screen, make: Make, record: WireRecord, reload: () => void): Promise<void> {
  const address = `/tapi/${screen.name}/${record.id}/make/${make.name}`;
  const call = async (preview: boolean) =>
    (await api.post<{ data: { made: WireRecord[]; left: number } }>(`${address}${preview ? '?preview=1' : ''}`, {}))
      .data;
  try {
    const { made, left } = await call(true);
    const count = (n: number) => (n === 1 ? '1 record' : `${formatNumber(n)} records`);
    if (made.length === 0) {
      toast.info(`${make.title}: nothing is missing.`);
      return;
    }
    const { screen: target } = await loadScreen(make.to);
    const names = made.slice(0, MAX_NAMES_SHOWN).map((one) => recordName(target, one) || target.title);
    const more = made.length + left - names.length;
    const text = `${count(made.length + left)}: ${names.join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}.`;
    if (!(await confirmDialog({ title: `${make.title}?`, text, confirmLabel: make.title }))) return;
    let done = 0;
    for (let answer = await call(false); ; answer = await call(false)) {
      done += answer.made.length;
      if (answer.left === 0) break;
    }
    toast.success(`${make.title}: ${count(done)} made.`);
    reload();
  } catch {
    // The call has already reported the error.
  }
}
