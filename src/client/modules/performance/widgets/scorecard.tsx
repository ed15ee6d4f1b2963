import { Tab, TabList } from '@fluentui/react-components';
import { RibbonRegular } from '@fluentui/react-icons';
import { useSearchParams } from 'react-router-dom';
import type { Scorecard, ScorecardTab } from '../../../../domain/performance/scorecard.ts';
import { EmptyState, Skeleton } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import { BandLabel } from '../band_label.tsx';
import { ScoreGauge } from '../score_gauge.tsx';
import { Head, PeriodChoice } from '../scorecard_head.tsx';
import { Lines, Off } from '../scorecard_lines.tsx';
import { ScoreTree } from '../scorecard_rows.tsx';
import { Team } from '../scorecard_team.tsx';
import own from '../scorecard.module.css';

/** What the tabs of a scorecard are called. */
const titlesOf = ({ owner, leads }: Scorecard): Record<ScorecardTab, string> => ({
  own: 'Own',
  reportees: owner?.isUnit ? 'Sheets below' : 'Reportees',
  team: 'Team',
  board: leads ? 'Board' : 'Units',
});

/** The tabs; the chosen one stands in the address, so that a link and the Back key keep it. */
function Tabs({ card, chosen }: { card: Scorecard; chosen: ScorecardTab }) {
  const [search, setSearch] = useSearchParams();
  if (card.tabs.length < 2 && card.tabs[0] === 'own') return null;
  const titles = titlesOf(card);
  return (
    <TabList
      className={own.tabs}
      selectedValue={chosen}
      onTabSelect={(_, { value }) => {
        const query = new URLSearchParams(search);
        query.set('tab', value as ScorecardTab);
        setSearch(query);
      }}
    >
      {card.tabs.map((tab) => (
        <Tab key={tab} value={tab} id={`scorecard-${tab}`} aria-controls="scorecard-tab">
          {titles[tab]}
        </Tab>
      ))}
    </TabList>
  );
}

function Content({ card }: { card: Scorecard }) {
  const { decimals, explains } = card;
  if (card.tab === 'reportees')
    return (
      <>
        <ScoreTree
          rows={card.below}
          card={card}
          title={titlesOf(card).reportees}
          first={card.owner?.isUnit ? 'Sheet' : 'Member'}
        />
        {card.isCut && <p className={own.faint}>More people are below. Open one of the members to see them.</p>}
      </>
    );
  if (card.tab === 'team')
    return card.team === null ? (
      <p className={own.faint}>Nobody below has KPIs in this period.</p>
    ) : (
      <Team team={card.team} card={card} />
    );
  if (card.tab === 'board')
    return (
      <>
        {card.company !== null && (
          <section aria-label="Company">
            <div className={own.company}>
              <h3 className={own.part}>Company</h3>
              {card.company.score?.score && (
                <>
                  <ScoreGauge
                    score={card.company.score.score}
                    band={card.company.score.band}
                    bands={card.bands}
                    most={card.most}
                    decimals={decimals}
                  />
                  <span className={own.badges}>
                    {card.company.score.band !== null && <BandLabel band={card.company.score.band} card={card} />}
                  </span>
                </>
              )}
            </div>
            <Off lines={card.company.lines} />
            <Lines lines={card.company.lines} explains={explains} />
          </section>
        )}
        {card.units.length > 0 ? (
          <section aria-label="Units">
            <h3 className={own.part}>Units</h3>
            <ScoreTree
              rows={card.units.map((row) => ({ ...row, above: null }))}
              card={card}
              title="Units"
              first="Unit"
            />
          </section>
        ) : (
          card.company === null && <p className={own.faint}>No unit has KPIs in this period.</p>
        )}
      </>
    );
  if (card.lines.length === 0) return <p className={own.faint}>There are no KPIs in this period.</p>;
  return (
    <>
      <Off lines={card.lines} />
      <Lines lines={card.lines} explains={explains} />
    </>
  );
}

/** The scorecard of a member or a unit in a period: what is off target, since when, and the causes. */
export default function ScorecardWidget({ data }: WidgetProps) {
  const card = data as Scorecard;
  const [search] = useSearchParams();
  const asked = card.tabs.find((tab) => tab === search.get('tab'));
  if (card.owner === null && card.tabs.length === 0)
    return (
      <EmptyState
        icon={<RibbonRegular />}
        title="No scorecard"
        text="Choose a member or a sheet whose figures you may see. Your own scorecard is shown if your account is linked to an employee."
      />
    );
  if (card.month === null || card.tabs.length === 0)
    return (
      <EmptyState
        icon={<RibbonRegular />}
        title={`${card.owner?.name ?? 'The company'} has no KPIs yet`}
        text="A scorecard needs an approved KPI sheet."
        actions={[{ label: 'Assign KPI', to: '/employee_kpi' }]}
      />
    );
  const chosen = asked ?? card.tab;
  const hasTabs = card.tabs.length > 1 || card.tabs[0] !== 'own';
  return (
    <>
      <Head card={card} />
      <div className={own.bar}>
        <Tabs card={card} chosen={chosen} />
        <PeriodChoice card={card} />
      </div>
      <div
        id="scorecard-tab"
        {...(hasTabs && { role: 'tabpanel', 'aria-labelledby': `scorecard-${chosen}` })}
        aria-busy={chosen !== card.tab}
      >
        {chosen === card.tab ? <Content card={card} /> : <Skeleton rows={8} label="Loading" />}
      </div>
    </>
  );
}
