import { Badge, Button, Select } from '@fluentui/react-components';
import {
  ArrowDownRegular,
  ArrowRightRegular,
  ArrowUpRegular,
  ChatRegular,
  CheckmarkCircleRegular,
  ChevronLeftRegular,
  ChevronRightRegular,
  EditRegular,
  PrintRegular,
} from '@fluentui/react-icons';
import { useSearchParams } from 'react-router-dom';
import { formatNumber } from '../../../descriptor/format.ts';
import type { ScorecardPeriod, ShortPeriod } from '../../../domain/performance/scorecard_period.ts';
import { SCORECARD_PERIODS, SHORT_PERIODS } from '../../../domain/performance/scorecard_period.ts';
import type { Scorecard } from '../../../domain/performance/scorecard.ts';
import { ActionButton } from '../../app/page.tsx';
import { PersonPhoto } from '../../runtime/fields/files/PersonPhoto.tsx';
import { BandLabel } from './band_label.tsx';
import { ScoreGauge } from './score_gauge.tsx';
import own from './scorecard.module.css';

const TRENDS = {
  up: { icon: <ArrowUpRegular />, title: 'Better than the three months before' },
  level: { icon: <ArrowRightRegular />, title: 'Same as the three months before' },
  down: { icon: <ArrowDownRegular />, title: 'Worse than the three months before' },
} as const;

const PERIODS: Record<ScorecardPeriod | ShortPeriod, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  half_year: 'Half year',
  year: 'Year',
  ytd: 'Year to date',
};

/** Chooses the kind of period, and one of its periods. */
export function PeriodChoice({ card: { period, month, title, choices, hasDays } }: { card: Scorecard }) {
  const [search, setSearch] = useSearchParams();
  const choose = (set: Record<string, string>) => {
    const query = new URLSearchParams(search);
    for (const [name, value] of Object.entries(set)) query.set(name, value);
    setSearch(query, { replace: true });
  };
  const at = choices.findIndex((one) => one.title === title);
  const to = (place: number) =>
    choices[place] && choose({ month: choices[place].month, ...(choices[place].day && { day: choices[place].day }) });
  return (
    <div className={own.period}>
      <Select
        aria-label="Period"
        value={period}
        onChange={(_, { value }) => choose({ period: value, ...(month !== null && { month }) })}
      >
        {[...(hasDays ? SHORT_PERIODS : []), ...SCORECARD_PERIODS].map((one) => (
          <option key={one} value={one}>
            {PERIODS[one]}
          </option>
        ))}
      </Select>
      <div className={own.month}>
        <Button
          icon={<ChevronLeftRegular />}
          appearance="subtle"
          aria-label="Period before"
          disabled={at < 0 || at === choices.length - 1}
          onClick={() => to(at + 1)}
        />
        <Select
          aria-label={PERIODS[period]}
          value={title}
          onChange={(_, data) => to(choices.findIndex((one) => one.title === data.value))}
        >
          {at < 0 && <option value={title}>{title}</option>}
          {choices.map((one) => (
            <option key={one.title} value={one.title}>
              {one.title}
            </option>
          ))}
        </Select>
        <Button
          icon={<ChevronRightRegular />}
          appearance="subtle"
          aria-label="Period after"
          disabled={at <= 0}
          onClick={() => to(at - 1)}
        />
      </div>
    </div>
  );
}

/** What the reader can do from here. */
function Acts({ card: { acknowledge, update, feedback, updated } }: { card: Scorecard }) {
  const missing = updated.of - updated.done;
  return (
    <div className={own.acts}>
      {acknowledge !== null && (
        <ActionButton
          action={{ label: 'Acknowledge or dispute', icon: <CheckmarkCircleRegular />, to: acknowledge }}
          primary
        />
      )}
      {update !== null && (
        <ActionButton
          action={{ label: 'Update KPIs', icon: <EditRegular />, to: update }}
          primary={acknowledge === null && missing > 0}
        />
      )}
      {feedback !== null && (
        <ActionButton
          action={{ label: feedback.gives ? 'Give feedback' : 'Feedback', icon: <ChatRegular />, to: feedback.to }}
        />
      )}
      <Button
        icon={<PrintRegular />}
        title="Print with all explanations"
        aria-label="Print with all explanations"
        onClick={() => window.print()}
      >
        Print
      </Button>
    </div>
  );
}

/** Whose scorecard it is, with the score on the scale of the bands. */
export function Head({ card }: { card: Scorecard }) {
  const { owner, score, updated } = card;
  const trend = score?.trend ? TRENDS[score.trend as keyof typeof TRENDS] : null;
  if (owner === null) return null;
  return (
    <div className={own.head}>
      <div className={own.who}>
        <PersonPhoto name={owner.name} photo={owner.photo} size={72} />
        <div>
          <strong>{owner.name}</strong>
          <span>{owner.about.join(' · ')}</span>
          {owner.person !== null && (
            <span>{owner.isUnit ? `Responsible: ${owner.person}` : `Reports to ${owner.person}`}</span>
          )}
        </div>
        <Acts card={card} />
      </div>
      {updated.of > 0 && (
        <div className={own.score} aria-live="polite">
          <ScoreGauge
            score={score?.score ?? null}
            band={score?.band ?? null}
            bands={card.bands}
            most={card.most}
            decimals={card.decimals}
          />
          <div className={own.standing}>
            <span className={own.badges}>
              {score?.band !== null && score?.band !== undefined && <BandLabel band={score.band} card={card} />}
              {trend && (
                <span className={own.trend} role="img" title={trend.title} aria-label={trend.title}>
                  {trend.icon}
                </span>
              )}
              {score?.frozen && <Badge appearance="outline">Frozen</Badge>}
            </span>
            {card.rank !== null && (
              <span>
                Rank {card.rank.place} of {card.rank.of} {card.rank.among}
              </span>
            )}
            <span>
              {updated.done} of {updated.of} updated
            </span>
            <progress className={own.progress} max={updated.of} value={updated.done} aria-label="KPIs updated" />
            <span className={own.faint}>
              {score === null
                ? card.period === 'day' || card.period === 'week'
                  ? 'Nothing is entered yet'
                  : 'No update is approved yet'
                : score.covered === null
                  ? 'Average of the months'
                  : `of ${formatNumber(Number(score.covered), 2)} % of the weight`}
            </span>
          </div>
        </div>
      )}
    </div>
  );
}
