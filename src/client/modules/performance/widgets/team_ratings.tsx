import { Badge, Select } from '@fluentui/react-components';
import { PeopleTeamRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../../descriptor/format.ts';
import type { TeamRating, TeamRatings } from '../../../../domain/performance/ratings.ts';
import { ApiError, api } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import cards from '../../../runtime/phone_cards.module.css';
import own from '../ratings.module.css';

const LEVELS = [1, 2, 3, 4, 5];
const figure = (value: string | null): string => (value === null ? '–' : formatNumber(Number(value), 2));

/** The number of reportees in each band, as bars with a text for screen readers. */
function Distribution({ bands, rows }: TeamRatings) {
  const most = Math.max(1, ...bands.map((band) => rows.filter((row) => row.rated_band === band).length));
  return (
    <dl className={own.distribution} aria-label="Ratings of the team">
      {bands.map((band) => {
        const count = rows.filter((row) => row.rated_band === band).length;
        return (
          <div key={band}>
            <dt>{band}</dt>
            <dd>
              <span className={own.bar} style={{ width: `${(count / most) * 100}%` }} />
              {count}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** All reportees on one page: each rating is saved at once, and the score follows. */
export default function TeamRatingsWidget({ data, again }: WidgetProps) {
  const team = data as TeamRatings;
  const [saving, setSaving] = useState<number | null>(null);
  if (team.rows.length === 0)
    return (
      <EmptyState
        icon={<PeopleTeamRegular />}
        title="Your team has no open appraisals"
        text="Your reportees appear here when a launch opens the managers' rating."
      />
    );
  const names = [...new Set(team.rows.flatMap(({ competencies }) => competencies.map(({ name }) => name)))];
  // A member whose year and quarter are appraised has two rows.
  const hasSeveral = new Set(team.rows.map(({ period }) => period)).size > 1;
  const rate = async (row: TeamRating, line: number, level: string): Promise<void> => {
    setSaving(line);
    try {
      await api.put(
        `/tapi/appraisal/${row.id}`,
        {
          version: row.version,
          competency_lines: { set: { [line]: { manager_level: level === '' ? null : Number(level) } } },
        },
        { quiet: true },
      );
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      toast.error(thrown.message);
    }
    setSaving(null);
    again();
  };
  return (
    <div className={own.team}>
      <div className={own.scroll} tabIndex={0} role="region" aria-label="Ratings of my reportees">
        <table className={`${own.grid} ${cards.cards}`}>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">KPIs</th>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">Score</th>
              <th scope="col">Rating</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {team.rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <Link to={`/appraisal_add?id=${row.id}`}>{row.name}</Link>
                  {hasSeveral && <span className={own.faint}>{row.period}</span>}
                </th>
                <td data-title="KPIs">
                  <Link to={`/reportees_rating_updates/scorecard?employee_id=${row.employee_id}`}>
                    {figure(row.kpi_score)}
                  </Link>
                </td>
                {names.map((name) => {
                  const line = row.competencies.find((one) => one.name === name);
                  if (!line)
                    return (
                      <td key={name} data-title={name}>
                        –
                      </td>
                    );
                  return (
                    <td key={name} data-title={name}>
                      {row.open ? (
                        <Select
                          size="small"
                          aria-label={`${row.name}, ${row.period}: ${name}, expected ${line.expected}`}
                          aria-busy={saving === line.row}
                          value={line.manager === null ? '' : String(line.manager)}
                          onChange={(_, { value }) => void rate(row, line.row, value)}
                        >
                          <option value="">–</option>
                          {LEVELS.map((level) => (
                            <option key={level} value={level}>
                              {level}
                            </option>
                          ))}
                        </Select>
                      ) : (
                        (line.manager ?? '–')
                      )}
                      <span className={own.faint}>
                        of {line.expected}
                        {line.self !== null && ` · own ${line.self}`}
                      </span>
                    </td>
                  );
                })}
                <td data-title="Score">{figure(row.rated_score)}</td>
                <td data-title="Rating">
                  {row.rated_band === null ? '–' : <Badge appearance="tint">{row.rated_band}</Badge>}
                </td>
                <td data-title="State">{row.state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Distribution {...team} />
    </div>
  );
}
