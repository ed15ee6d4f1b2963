import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { menu } from '../../api/screens.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page.tsx';

/** What somebody may make of a record, as buttons that open the filled form. */
export function makeActions(screen: Screen, record: WireRecord): PageAction[] {
  const offered = (record._makes as OfferedStep[] | undefined) ?? [];
  return offered.flatMap(({ name }): PageAction[] => {
    const make = screen.makes?.find((one) => one.name === name);
    const add = menu.get().screens.find((one) => one.name === make?.to)?.routes.add;
    if (!make || !add) return [];
    return [
      {
        label: make.title,
        icon: <MenuIcon name={make.icon} fallback="DocumentAdd" />,
        to: `${add}?from=${screen.name}/${record.id}&make=${name}`,
      },
    ];
  });
}
