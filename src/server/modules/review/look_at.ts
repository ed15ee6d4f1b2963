import type { WireRecord } from '../../../descriptor/types.ts';
import { look, yearEnd } from '../../../domain/review/bot_rules.ts';
import type { BotFinding, BotRule } from '../../../domain/review/bot_rules.ts';
import { AppError } from '../../db/errors.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Number of months that a rule examines, including the last one. */
const MONTHS = 25;

/** A bot's finding, as stored with it. */
export interface BotLook {
  state: 'waiting' | 'quiet' | 'alarm';
  looked_month: string | null;
  finding: string | null;
}

interface Figure {
  id: number;
  month: string;
  value: string;
  target: string | null;
  year: string;
  isLower: boolean;
  year_target: string | null;
}

const numberOf = (value: unknown): number | null =>
  value === null || value === undefined || value === '' ? null : Number(value);

/** Whether a person may read an update of a KPI: a bot's findings use only these. */
async function isSeen(person: Unit, id: number): Promise<boolean> {
  try {
    await person.read('kpi_actual', id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The approved or frozen figures of a bot's KPI in order, as visible to its owner. */
async function figuresOf(unit: Unit, person: Unit, bot: WireRecord): Promise<Figure[]> {
  const figures = await unit.query<Figure>(
    `select a.id, a.month, a.value::text, a.target::text, s.financial_year as year, k.direction = 'lower' as "isLower",
       (select l.year_target::text from {kpi_sheet.lines} l where l.parent_id = s.id and l.kpi_id = a.kpi_id limit 1) as year_target
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_sheet} s on s.id = a.sheet_id
     where a.entity_id = $1 and a.employee_id = $2 and a.kpi_id = $3 and a.active and a.counts and a.value is not null
       and not a.not_applicable and ($4 is distinct from 'frozen' or a.status = 'frozen') order by a.month desc limit ${MONTHS}`,
    [unit.session.entityId, bot.employee_id, bot.kpi_id, bot.schedule ?? null],
  );
  const seen: Figure[] = [];
  for (const figure of figures.toReversed()) if (await isSeen(person, figure.id)) seen.push(figure);
  return seen;
}

/** Whether the annual target will be missed at the pace of the months so far, for figures that add up. */
function pace(figures: readonly Figure[]): BotFinding {
  const last = figures.at(-1)!;
  const own = figures.filter(({ year }) => year === last.year);
  const sum = (values: readonly (string | null)[]) => values.reduce((all, value) => all + (numberOf(value) ?? 0), 0);
  const goal = numberOf(last.year_target);
  const result =
    goal === null ? null : yearEnd(sum(own.map(({ value }) => value)), sum(own.map(({ target }) => target)), goal);
  if (result === null) return { isAlarm: false, value: null };
  return { value: result.end, isAlarm: last.isLower ? result.end > goal! : result.end < goal! };
}

const SAYS: Record<BotRule | 'pace', (value: string) => string> = {
  threshold: (value) => `It is ${value}.`,
  streak: (value) => `It got worse ${value} times in a row.`,
  anomaly: (value) => `It is unusual: its deviation is ${value} times the normal one.`,
  trend: (value) => `It changes by ${value} a month.`,
  pace: (value) => `The year ends at ${value} at this pace.`,
};

/** Examines the figures of a bot with the access of its owner. */
export async function lookAt(unit: Unit, person: Unit, bot: WireRecord): Promise<BotLook> {
  const figures = await figuresOf(unit, person, bot);
  const last = figures.at(-1);
  if (!last) return { state: 'waiting', looked_month: null, finding: 'There is no approved figure yet.' };
  const rule = bot.rule as BotRule | 'pace';
  const found =
    rule === 'pace'
      ? pace(figures)
      : look(
          figures.map(({ value }) => Number(value)),
          {
            rule,
            isLower: last.isLower,
            limit: numberOf(bot.limit_value),
            length: numberOf(bot.streak),
            least: numberOf(bot.least),
          },
        );
  return {
    state: found.isAlarm ? 'alarm' : 'quiet',
    looked_month: last.month,
    finding:
      found.value === null ? 'There are not enough figures.' : SAYS[rule](String(Number(found.value.toFixed(2)))),
  };
}
