import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { CalculatedUpdate } from '../calculated_figure.ts';
import { storeFigures } from '../calculated_figure.ts';
import type { Frequency } from '../kpi_months.ts';
import { MONTHS_OF, addMonths } from '../kpi_months.ts';
import { recordValues } from '../record_values.ts';
import type { OwnerKind } from '../sheet_owner.ts';
import { ownerIdSql } from '../sheet_owner.ts';

const UPDATES_PER_STEP = 200;

/** An update whose figure comes from records. */
interface Update extends CalculatedUpdate {
  owner_kind: OwnerKind;
  /** The member, department, branch, store or company. */
  owner: number;
  month: string;
  ends_on: string;
  frequency: Frequency;
  figure: string;
  kpi_id: number;
}

const firstDay = ({ month, frequency }: Update): string => `${addMonths(month, 1 - MONTHS_OF[frequency])}-01`;

/** Reads the figures of KPIs that follow records of the product: of the running periods, and of ended ones until they are frozen. */
export const takeFigures: Job = {
  elevated: true,
  async run({ company, actor, services: { recordFigures }, each }) {
    const { timezone } = placeOf({ ...actor, entityId: company });
    const today = dayIn(timezone);
    const read = await each<Update>(
      (unit, after) =>
        unit.query(
          `select a.id, a.owner_kind, ${ownerIdSql('a')} as owner, a.month, a.ends_on::text, a.value::text, a.remark, a.counts, k.frequency, k.figure, k.id as kpi_id
           from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
           where a.entity_id = $1 and a.active and a.source = 'system' and a.status <> 'frozen' and k.figure is not null
             and a.id > $2 order by a.id limit ${UPDATES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, updates) => {
        const unit = person.elevated();
        const begun = updates.filter((update) => firstDay(update) <= today);
        // What is there now is not what was there when a period ended.
        const open = begun.filter(({ figure, counts }) => !(counts && recordFigures.get(figure)?.isOfNow));
        for (const same of Map.groupBy(
          open,
          (one) => `${one.owner_kind} ${one.kpi_id} ${firstDay(one)} ${one.ends_on}`,
        ).values()) {
          const [{ figure: name, ends_on: last, kpi_id: kpi, owner_kind: kind }] = same as [Update];
          const figure = recordFigures.get(name);
          const ids = same.map(({ owner }) => owner);
          const days = { first: firstDay(same[0]!), last, timezone };
          const values = figure ? await recordValues(unit, figure, { kind, ids }, days, kpi) : null;
          await storeFigures(
            unit,
            same.map((update) => {
              const value = values && (values.get(update.owner) ?? figure?.none ?? null);
              const remark = value === null ? 'There are no records of it in this period.' : null;
              return { update, value, remark, isFinal: last < today };
            }),
          );
        }
        return updates.at(-1)!.id;
      },
    );
    return `${read} figures read.`;
  },
};
