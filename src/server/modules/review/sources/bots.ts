import type { BotChart, BotComparison, BotView } from '../../../../domain/review/bot_chart.ts';
import {
  comparedWith,
  comparisonName,
  comparisonText,
  largestParts,
  periodsBefore,
} from '../../../../domain/review/bot_chart.ts';
import { questionIn } from '../../../../domain/review/collection_question.ts';
import { AppError } from '../../../db/errors.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import type { KpiFigure } from '../bot_figures.ts';
import { kpiFiguresSql, periodOf } from '../bot_figures.ts';

const BOTS = 24;
/** Periods that a chart shows. */
const SHOWN = 13;
const PIE = new Set<BotChart>(['pie', 'funnel']);

interface Bot extends Record<string, unknown> {
  id: number;
  version: number;
  name: string;
  follows: 'kpi' | 'collection';
  period: string | null;
  kpi_id: number | null;
  employee_id: number | null;
  collection_id: number | null;
  question: unknown;
  chart: BotChart | null;
  compare: BotComparison | null;
  schedule: string | null;
  state: BotView['state'];
  finding: string | null;
  muted_until: string | null;
  owner_id: number;
  subscriber_ids: number[] | null;
  owner: string | null;
  kpi: string | null;
  member: string | null;
  collection: string | null;
  decimals: number | null;
  unit: string | null;
}

type Drawn = Pick<BotView, 'comparison' | 'compared' | 'rows' | 'note'>;

const nothing = (note: string): Drawn => ({ comparison: null, compared: '', rows: [], note });

/** The figures of a KPI that the reader may see. */
async function kpiRows(call: ReportCall, reader: SourceReader, bot: Bot): Promise<Drawn> {
  const screen = call.screens.get('kpi_actual');
  const kept = 'You may not see the figures of this KPI.';
  if (!screen || call.session.rights.refuse(screen, 'landing') !== null) return nothing(kept);
  const [known] = await reader.query<{ there: boolean }>(
    () => `select to_regclass('{kpi_actual}') is not null as there`,
  );
  const figures = known!.there
    ? await reader.query<KpiFigure & Record<string, unknown>>((values) =>
        kpiFiguresSql(
          [
            `a.employee_id = ${values.bind(bot.employee_id)} and a.kpi_id = ${values.bind(bot.kpi_id)}`,
            reader.seen('kpi_actual', 'a', values),
            ...(bot.schedule === 'frozen' ? [`a.status = 'frozen'`] : []),
          ].join(' and '),
        ),
      )
    : [];
  if (figures.length === 0) return nothing('There is no approved figure that you may see.');
  return overTime(bot, figures.toReversed());
}

/** Figures in order, with what they are compared with. */
function overTime(
  bot: Bot,
  figures: readonly { first: string | null; value: string; target?: string | null }[],
): Drawn {
  const period = periodOf(bot);
  const comparison = bot.compare ?? 'none';
  const others = comparedWith(figures, comparison, period);
  const last = figures.at(-1)!;
  return {
    comparison: comparison === 'none' ? null : comparisonName(comparison, period),
    compared: comparisonText(last.value, others.at(-1) ?? null, comparison, period),
    rows: figures
      .map(({ first, value }, at) => ({ first, value, other: others[at] ?? null }))
      // A heat map of months has room for two years.
      .slice(bot.chart === 'heat' ? -25 : -SHOWN),
    note: null,
  };
}

/** The figures of a collection over the rows that the reader may see. */
async function collectionRows({ session, collections }: ReportCall, bot: Bot): Promise<Drawn> {
  const period = periodOf(bot);
  const question = questionIn(bot.question, period);
  if (question === null || !collections) return nothing('It has no figure to follow.');
  const id = Number(bot.collection_id);
  const count = SHOWN + periodsBefore(bot.compare ?? 'none', period);
  try {
    const figures = await collections.collectionFigures(session, id, question, count);
    if (figures.length === 0) return nothing('There are no rows of a complete period yet.');
    const whole = overTime(bot, figures);
    const isOfParts = question.by !== null && bot.chart !== 'figure' && bot.chart !== 'line';
    if (!isOfParts) return whole;
    const all = await collections.collectionParts(session, id, question, SHOWN);
    const last = all.at(-1)?.first ?? null;
    const parts = PIE.has(bot.chart ?? 'line') ? all.filter(({ first }) => first === last) : all;
    const { parts: shown, count: known } = largestParts(parts);
    const rows = shown.flatMap((part) => parts.filter((one) => one.part === part));
    return {
      ...whole,
      rows: rows.toSorted((a, b) => (a.first ?? '').localeCompare(b.first ?? '')),
      note: known > shown.length ? `The ${shown.length} largest of ${known} parts.` : null,
    };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return nothing(error.message);
    throw error;
  }
}

/** Bots with their history, as far as the reader may see the figures: their own, those shared with the company, or one. */
const bots: ReportSource = {
  reads: { kpi_bot: ['name', 'state'] },
  async rows(call) {
    const { session, parameters, args } = call;
    const reader = new SourceReader(call);
    const one = (parameters.bot_id as number | null) ?? null;
    const found = await reader.query<Bot>((values) => {
      const which =
        one !== null
          ? `b.id = ${values.bind(one)}`
          : args?.which === 'own'
            ? `(b.owner_id = ${values.bind(session.userId)} or (b.visibility = 'company' and ${values.bind(session.userId)} = any(b.subscriber_ids)))`
            : `b.visibility = 'company'`;
      return `select b.id, b.version, b.name, b.follows, b.period, b.kpi_id, b.employee_id, b.collection_id, b.question, b.chart, b.compare,
          b.schedule, b.state, b.finding, b.muted_until::text, b.owner_id, b.subscriber_ids, o.name as owner, k.name as kpi, e.name as member,
          c.title as collection, k.decimals, u.symbol as unit
        from {kpi_bot} b left join {users} o on o.id = b.owner_id left join {kpi} k on k.id = b.kpi_id left join {uom} u on u.id = k.uom_id
        left join {employee} e on e.id = b.employee_id left join {analytics_collection} c on c.id = b.collection_id
        where ${which} and ${reader.seen('kpi_bot', 'b', values)}
        order by array_position(array['alarm', 'quiet', 'waiting'], b.state), b.name limit ${BOTS}`;
    });
    const views: BotView[] = [];
    for (const bot of found) {
      const drawn = bot.follows === 'collection' ? await collectionRows(call, bot) : await kpiRows(call, reader, bot);
      const isOwn = bot.owner_id === session.userId;
      views.push({
        id: bot.id,
        version: bot.version,
        name: bot.name,
        of:
          bot.follows === 'collection'
            ? [bot.collection, (bot.question as { figure?: string } | null)?.figure].filter(Boolean).join(': ')
            : [bot.kpi, bot.member].filter(Boolean).join(', '),
        owner: bot.owner,
        state: bot.state,
        finding: isOwn ? bot.finding : null,
        muted_until: bot.muted_until,
        isOwn,
        isSubscribed: (bot.subscriber_ids ?? []).map(Number).includes(session.userId),
        // Without a date there is no history to draw.
        chart: drawn.rows.every(({ first, part }) => first === null && part === undefined)
          ? 'figure'
          : (bot.chart ?? 'line'),
        period: periodOf(bot),
        decimals: bot.follows === 'collection' ? 2 : (bot.decimals ?? 2),
        unit: bot.follows === 'collection' ? null : bot.unit,
        ...drawn,
      });
    }
    return { rows: [], widget: views };
  },
};

export default bots;
