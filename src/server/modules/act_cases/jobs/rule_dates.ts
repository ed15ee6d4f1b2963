import type { Job } from '../../../engine/modules.ts';
import { runRule } from '../run_logged.ts';
import { rulesFor } from '../run_rule.ts';

const PER_STEP = 100;

/** Runs the date rules, for the records whose day has come, once a day. */
export const ruleDates: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    const ran = await each<{ rule_id: number; record_type: string; id: number }>(
      async (unit, after) => {
        const [rule, record] = (after as [number, number] | undefined) ?? [0, 0];
        const rules = await unit.query<{
          id: number;
          record_type: string;
          date_field: string;
          days_after: number | null;
        }>(
          `select id, record_type, date_field, days_after from {workflow_rule} where entity_id = $1 and active and event = 'date_reached' and id >= $2 order by id`,
          [company, rule],
        );
        for (const one of rules) {
          const found = await unit.query<{ id: number }>(
            `select t.id from {${one.record_type}} t cross join lateral (select to_jsonb(t) ->> $1 as at) d
             where t.entity_id = $2 and t.active and t.id > $3 and d.at ~ '^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' and left(d.at, 10)::date + $4::int = $5::date order by t.id limit ${PER_STEP}`,
            [one.date_field, company, one.id === rule ? record : 0, one.days_after ?? 0, today],
          );
          if (found.length > 0) return found.map(({ id }) => ({ rule_id: one.id, record_type: one.record_type, id }));
        }
        return [];
      },
      async (person, batch) => {
        const unit = person.elevated();
        const [first] = batch;
        const rule = (await rulesFor(unit, first!.record_type)).find(({ id }) => id === first!.rule_id);
        if (rule)
          for (const { id } of batch) await runRule(unit, rule, { type: rule.record_type, id }, { by: null, depth: 1 });
        return [first!.rule_id, batch.at(-1)!.id];
      },
    );
    return `${ran} records checked.`;
  },
};
