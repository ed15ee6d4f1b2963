import { Field, Select } from '@fluentui/react-components';
import { useEffect, useEffectEvent } from 'react';
import useSWR from 'swr';
import { monthTitle } from '../../../domain/month_names.ts';
import type { MoveLink, Relink } from '../../../domain/performance/move_links.ts';
import { api } from '../../api/http.ts';
import type { Relinked } from './move_call.ts';
import styles from './org_chart.module.css';

/** A KPI stays where it counts. */
const STAYS = 'stays';
const NONE = 'none';
/** A constant list: a new one at each rendering would cause the next rendering while the answer loads. */
const NO_LINKS: readonly MoveLink[] = [];

const keyOf = ({ sheet_id: sheet, kpi_id: kpi, part_key: part = '-' }: Omit<Relink, 'to'>) => `${sheet} ${kpi} ${part}`;

/** What is offered at first: the new manager's sheet; a unit keeps its figures. */
const first = ({ into, choices }: MoveLink): string =>
  into.isUnit ? STAYS : String(choices.find(({ sheet_id: id }) => id !== null)?.sheet_id ?? NONE);

/** Choices that are stored already, by sheet and KPI. */
export const chosenLinks = (relinks: readonly Relink[]): Record<string, string> =>
  Object.fromEntries(relinks.map((one) => [keyOf(one), String(one.to ?? NONE)]));

/** The choices for the offered KPIs; unchanged KPIs are left out. */
const relinksOf = (
  links: readonly MoveLink[],
  chosen: Readonly<Record<string, string>>,
  usual: (link: MoveLink) => string,
): Relinked[] =>
  links.flatMap((link) => {
    const to = chosen[keyOf(link)] ?? usual(link);
    return to === STAYS
      ? []
      : [
          {
            sheet_id: link.sheet_id,
            kpi_id: link.kpi_id,
            part_key: link.part_key,
            to: to === NONE ? null : Number(to),
            was: link.into.sheet_id,
          },
        ];
  });

/** Asks of each KPI that counts into a sheet of the former manager where it counts from then on. */
export function RelinkFields({
  id,
  name,
  manager,
  from,
  chosen,
  isStored = false,
  legend = 'KPIs that count into sheets of the former manager',
  onChoose,
  onRelinks,
}: {
  id: number;
  /** Who moves. Sheets of units bear other names. */
  name: string;
  manager: number;
  from: string;
  /** By sheet and KPI. */
  chosen: Readonly<Record<string, string>>;
  /** The choices come from a stored plan: a KPI without one stays where it counts. */
  isStored?: boolean;
  legend?: string;
  onChoose: (chosen: Readonly<Record<string, string>>) => void;
  onRelinks: (relinks: readonly Relinked[]) => void;
}) {
  const usual = (link: MoveLink) => (isStored ? STAYS : first(link));
  const {
    data: links = NO_LINKS,
    isLoading,
    error,
  } = useSWR<readonly MoveLink[], unknown>(
    [`/tapi/employee/${id}/move_links`, manager, from],
    async ([path]) => (await api.get<{ data: MoveLink[] }>(path, { manager, from }, { quiet: true })).data,
  );
  const report = useEffectEvent(() => onRelinks(relinksOf(links, chosen, usual)));
  const isKnown = !isLoading || error !== undefined;
  useEffect(() => {
    if (isKnown) report();
  }, [isKnown, links, chosen]);
  if (links.length === 0) return null;
  return (
    <fieldset className={styles.relinks}>
      <legend>{legend}</legend>
      {links.map((link) => {
        const value = chosen[keyOf(link)] ?? usual(link);
        const month = link.choices.find(({ sheet_id: sheet }) => String(sheet ?? NONE) === value)?.from ?? null;
        return (
          <Field
            key={keyOf(link)}
            label={link.owner === name ? link.kpi : `${link.kpi} of ${link.owner}`}
            hint={
              value === STAYS
                ? undefined
                : month === null
                  ? 'From the first month of the sheet.'
                  : `From ${monthTitle(month)}. Months before stay with ${link.into.name}.`
            }
          >
            <Select value={value} onChange={(_, data) => onChoose({ ...chosen, [keyOf(link)]: data.value })}>
              <option value={STAYS}>Still counts into {link.into.name}</option>
              {link.choices.map(({ sheet_id: sheet, name: whose }) => (
                <option key={sheet ?? NONE} value={sheet ?? NONE}>
                  {sheet === null ? 'Counts nowhere' : `Counts into ${whose}`}
                </option>
              ))}
            </Select>
          </Field>
        );
      })}
    </fieldset>
  );
}
