import { formatFixed } from '../../../descriptor/format.ts';
import type { Scorecard, TeamFigures, TeamLine } from '../../../domain/performance/scorecard.ts';
import { BandLabel } from './band_label.tsx';
import { COLOURS, figureText, percentText } from './figure_texts.ts';
import { ColourLetter } from './scorecard_lines.tsx';
import own from './scorecard.module.css';

const ORDER = ['red', 'amber', 'green', 'blue'] as const;

/** How many members have each colour, as a bar with a text. */
function Spread({ line: { kpi, colours, members } }: { line: TeamLine }) {
  const known = ORDER.reduce((sum, colour) => sum + colours[colour], 0);
  const parts = ORDER.filter((colour) => colours[colour] > 0);
  const says = parts.map((colour) => `${colours[colour]} ${COLOURS[colour].title.toLowerCase()}`);
  if (known < members) says.push(`${members - known} without a figure`);
  return (
    <span className={own.spread} role="img" aria-label={`${kpi}: ${says.join(', ')}`} title={says.join(', ')}>
      {parts.map((colour) => (
        <span key={colour} data-colour={colour} style={{ flexGrow: colours[colour] }}>
          {colours[colour]}
        </span>
      ))}
      {known < members && (
        <span data-colour="none" style={{ flexGrow: members - known }}>
          {members - known}
        </span>
      )}
    </span>
  );
}

/** The KPIs of everybody below a member, added up. */
export function Team({ team, card }: { team: TeamFigures; card: Pick<Scorecard, 'bands' | 'most' | 'decimals'> }) {
  const types = [...new Set(team.lines.map(({ type }) => type))];
  return (
    <>
      <dl className={own.sums} aria-label="The team">
        <div>
          <dt>Members with a score</dt>
          <dd>{team.members}</dd>
        </div>
        <div>
          <dt>Average score</dt>
          <dd>{team.average === null ? '–' : formatFixed(team.average, card.decimals)}</dd>
        </div>
        {team.bands.map(({ label, count }) => (
          <div key={label}>
            <dt>
              <BandLabel band={label} card={card} />
            </dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <table className={own.lines} aria-label="KPIs of the team">
        <thead>
          <tr>
            <th scope="col">KPI</th>
            <th scope="col">Members</th>
            <th scope="col">Target</th>
            <th scope="col">Actual</th>
            <th scope="col">Achievement</th>
            <th scope="col">Members by colour</th>
          </tr>
        </thead>
        {types.map((type) => (
          <tbody key={type}>
            <tr className={own.type}>
              <th colSpan={6} scope="rowgroup">
                {type}
              </th>
            </tr>
            {team.lines
              .filter((line) => line.type === type)
              .map((line) => (
                <tr key={line.kpi}>
                  <th scope="row">
                    <span>{line.kpi}</span>
                    <span className={own.faint}>{line.unit}</span>
                  </th>
                  <td data-title="Members">
                    {line.members}
                    {line.entered < line.members && <span className={own.faint}>{line.entered} with a figure</span>}
                  </td>
                  <td data-title="Target">{line.target === null ? '–' : figureText(line, line.target)}</td>
                  <td data-title="Actual">
                    {line.actual === null ? '–' : figureText(line, line.actual)}
                    {line.actual === null && line.entered > 0 && <span className={own.faint}>not added up</span>}
                  </td>
                  <td data-title="Achievement">
                    {line.colour !== null && <ColourLetter colour={line.colour} />} {percentText(line.achievement)}
                  </td>
                  <td data-title="Members by colour">
                    <Spread line={line} />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </table>
    </>
  );
}
