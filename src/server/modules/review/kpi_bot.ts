import type { BotChart } from '../../../domain/review/bot_chart.ts';
import { chartProblem } from '../../../domain/review/bot_chart.ts';
import { questionIn } from '../../../domain/review/collection_question.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { isSame } from '../../engine/records/history.ts';

/**
 * A shared bot runs with the rights of its owner, and everybody sees its state: another question asked in their name
 * would reveal figures that only they may see.
 */
export default defineHooks({
  check(session, record, stored, screens) {
    const ofRows = record.follows === 'collection';
    const question = ofRows ? questionIn(record.question, 'month') : null;
    const problem = chartProblem((record.chart ?? 'line') as BotChart, {
      isDated: !ofRows || question === null || question.dated !== null,
      hasParts: question !== null && question.by !== null,
      isMonthly: !ofRows || record.period === 'month',
    });
    if (problem !== null) return [{ field: 'chart', message: problem }];
    if (stored === null || stored.owner_id === session.userId) return [];
    const changed = screens
      .get('kpi_bot')!
      .fields.find((field) => !field.readOnly && !isSame(field, record[field.name], stored[field.name]));
    return changed
      ? [{ field: changed.name, message: 'Only the owner changes a bot, because it runs with their rights. Copy it.' }]
      : [];
  },
});
