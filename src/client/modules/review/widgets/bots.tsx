import { Badge, Button } from '@fluentui/react-components';
import { AddRegular, AlertOffRegular, AlertRegular, BotRegular, CopyRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, formatNumber } from '../../../../descriptor/format.ts';
import type { BotView } from '../../../../domain/review/bot_chart.ts';
import { ApiError, api } from '../../../api/http.ts';
import { useScreenRef } from '../../../api/screens.ts';
import { toast } from '../../../app/feedback.ts';
import { EmptyState } from '../../../app/page.tsx';
import { TileHeat } from '../../../runtime/dashboard/TileHeat.tsx';
import { TileTable } from '../../../runtime/dashboard/TileTable.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import { botTile, periodText } from '../bot_tile.ts';
import own from '../bots.module.css';

const TileChart = lazy(() => import('../../../runtime/dashboard/TileChart.tsx'));

const STATES = {
  alarm: ['Alarm', 'danger'],
  quiet: ['Quiet', 'success'],
  waiting: ['Not run yet', 'subtle'],
} as const;

/** The last figure of a bot, and how it compares. */
function LastFigure({ bot }: { bot: BotView }) {
  const last = bot.rows.at(-1)!;
  return (
    <p className={own.last}>
      <strong>
        {formatNumber(Number(last.value), bot.decimals)}
        {bot.unit !== null && ` ${bot.unit}`}
      </strong>{' '}
      <span className={own.faint}>{last.first === null ? 'now' : periodText(last.first, bot.period)}</span>
    </p>
  );
}

function History({ bot }: { bot: BotView }) {
  const { tile, answer } = useMemo(() => botTile(bot), [bot]);
  if (bot.chart === 'table') return <TileTable tile={tile} answer={answer} landing={null} />;
  if (bot.chart === 'heat') return <TileHeat tile={tile} answer={answer} landing={null} />;
  return (
    <Suspense fallback={<div className={own.chart} aria-hidden />}>
      <div className={own.chart}>
        <TileChart tile={tile} answer={answer} onPick={null} />
      </div>
    </Suspense>
  );
}

function Bot({ bot, again, isAlone }: { bot: BotView; again: () => void; isAlone: boolean }) {
  const routes = useScreenRef('kpi_bot');
  const subscribe = async (): Promise<void> => {
    try {
      await api.post(`/tapi/kpi_bot/action/review.${bot.isSubscribed ? 'unsubscribe' : 'subscribe'}`, {
        on: 'record',
        id: bot.id,
        version: bot.version,
        params: {},
      });
      toast.success(
        bot.isSubscribed ? 'It no longer notifies you.' : 'You are notified when it has something to report.',
      );
      again();
    } catch (thrown) {
      // The call has already shown the error.
      if (!(thrown instanceof ApiError)) throw thrown;
    }
  };
  const [word, tone] = STATES[bot.state];
  // The finding already contains the comparison.
  const isTwice = !isAlone && bot.finding !== null && bot.finding.includes(bot.compared);
  const add = routes?.rights.add_screen ? routes.routes.add : null;
  return (
    <article className={own.bot} data-alone={isAlone || undefined} aria-label={bot.name}>
      {!isAlone && (
        <header>
          <h3>
            <Link to={`/kpi_bots/view/${bot.id}`}>{bot.name}</Link>
          </h3>
          <Badge appearance="tint" color={tone}>
            {word}
          </Badge>
        </header>
      )}
      <p className={own.faint}>
        {bot.of}
        {!bot.isOwn && bot.owner !== null && ` · ${bot.owner}`}
        {bot.muted_until !== null && ` · muted until ${formatDate(bot.muted_until)}`}
      </p>
      {bot.rows.length > 0 && (bot.chart === 'figure' || bot.compared !== '') && <LastFigure bot={bot} />}
      {bot.compared !== '' && bot.rows.length > 0 && !isTwice && <p className={own.text}>{bot.compared}</p>}
      {!isAlone && bot.finding !== null && <p className={own.text}>{bot.finding}</p>}
      {bot.rows.length > 0 && bot.chart !== 'figure' && <History bot={bot} />}
      {bot.note !== null && <p className={own.faint}>{bot.note}</p>}
      {!isAlone && (
        <footer>
          {!bot.isOwn && (
            <Button
              size="small"
              icon={bot.isSubscribed ? <AlertOffRegular /> : <AlertRegular />}
              aria-label={`${bot.isSubscribed ? 'Unsubscribe from' : 'Subscribe to'} ${bot.name}`}
              onClick={() => void subscribe()}
            >
              {bot.isSubscribed ? 'Unsubscribe' : 'Subscribe'}
            </Button>
          )}
          {add !== null && add !== undefined && (
            <Link className={own.copy} to={`${add}?copy=${bot.id}`} aria-label={`Copy ${bot.name}`}>
              <CopyRegular /> Copy
            </Link>
          )}
        </footer>
      )}
    </article>
  );
}

/** Bots side by side, each with the history of what it follows in its own chart; a single one without its name. */
export default function BotsWidget({ tile, data, again }: WidgetProps) {
  const bots = data as BotView[];
  const routes = useScreenRef('kpi_bot');
  const add = routes?.rights.add_screen ? routes.routes.add : null;
  if (bots.length === 0)
    return (
      <EmptyState
        icon={<BotRegular />}
        title={tile.empty ?? 'There are no bots'}
        text="A bot follows a KPI or a figure of a collection, and notifies you when its rule becomes true."
        actions={add === null || add === undefined ? [] : [{ label: 'Add bot', icon: <AddRegular />, to: add }]}
      />
    );
  const isAlone = tile.args?.which === undefined;
  return (
    <>
      {!isAlone && (
        <p className={own.links}>
          {add !== null && add !== undefined && (
            <Link className={own.copy} to={add}>
              <AddRegular /> Add bot
            </Link>
          )}
          {routes?.routes.landing && (
            <Link className={own.copy} to={routes.routes.landing}>
              All bots
            </Link>
          )}
        </p>
      )}
      <div className={own.bots} data-alone={isAlone || undefined}>
        {bots.map((bot) => (
          <Bot key={bot.id} bot={bot} again={again} isAlone={isAlone} />
        ))}
      </div>
    </>
  );
}
