import { Button, Checkbox, Select } from '@fluentui/react-components';
import { AddRegular, DismissRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import type { FieldFigure } from '../../../descriptor/report_fields.ts';
import { FIGURES } from '../../../descriptor/report_fields.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { ChartKind, Measure, Period, RecordsGrouped } from '../../../domain/report.ts';
import { FilterBar } from '../landing/FilterBar.tsx';
import type { ReportDraft } from './report_draft.ts';
import {
  FIGURE_WORDS,
  MAX_GROUPS,
  MAX_MEASURES,
  PERIODS,
  columnOfGroup,
  countMeasure,
  fieldOfGroup,
  figureFields,
  figureOf,
  groupFields,
  groupOf,
  measureOf,
  narrowFields,
} from './report_draft.ts';
import styles from './builder.module.css';

interface PartProps {
  screen: Screen;
  draft: ReportDraft;
  onChange: (draft: ReportDraft) => void;
}

/** The content of a report: groups, measures, filters, order and chart. */
export function BuilderForm(props: PartProps) {
  const { screen, draft, onChange } = props;
  return (
    <>
      <Groups {...props} />
      <Figures {...props} />
      <Part
        title="Filters"
        help="Only records for which all of this holds. Periods such as “last 30 days” move on with today."
      >
        <FilterBar
          screen={screen}
          conditions={draft.conditions}
          active="true"
          mine={false}
          onAll={() => undefined}
          onConditions={(conditions) => onChange({ ...draft, conditions })}
        />
      </Part>
      <Narrowing {...props} />
      <Order {...props} />
      <Chart {...props} />
    </>
  );
}

function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend>{title}</legend>
      {help !== undefined && <p className={styles.faint}>{help}</p>}
      {children}
    </fieldset>
  );
}

type Group = RecordsGrouped['group'][number];

function Groups({ screen, draft, onChange }: PartProps) {
  const fields = groupFields(screen);
  const { group } = draft;
  const used = new Set(group.map(fieldOfGroup));
  const put = (at: number, one: Group | null) =>
    onChange({ ...draft, group: group.flatMap((old, place) => (place !== at ? [old] : one === null ? [] : [one])) });
  const free = fields.filter(({ name }) => !used.has(name));
  return (
    <Part title="Groups">
      {group.map((one, at) => {
        const name = fieldOfGroup(one);
        const number = group.length > 1 ? ` ${at + 1}` : '';
        return (
          <div key={`${at} ${name}`} className={styles.line}>
            <Select
              aria-label={`Group${number}`}
              value={name}
              onChange={(_, { value }) => {
                const field = fields.find((other) => other.name === value);
                if (field) put(at, groupOf(field));
              }}
            >
              {!fields.some((field) => field.name === name) && <option value={name}>{name}</option>}
              {fields
                .filter((field) => field.name === name || !used.has(field.name))
                .map((field) => (
                  <option key={field.name} value={field.name}>
                    {field.title}
                  </option>
                ))}
            </Select>
            {typeof one !== 'string' && (
              <Select
                aria-label={`Period of group${number}`}
                value={one.by}
                onChange={(_, { value }) => put(at, { field: name, by: value as Period })}
              >
                {Object.entries(PERIODS).map(([by, text]) => (
                  <option key={by} value={by}>
                    {text}
                  </option>
                ))}
              </Select>
            )}
            <Button
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove group${number}`}
              onClick={() => put(at, null)}
            />
          </div>
        );
      })}
      {group.length < MAX_GROUPS && free.length > 0 && (
        <Button
          size="small"
          icon={<AddRegular />}
          onClick={() => onChange({ ...draft, group: [...group, groupOf(free[0]!)] })}
        >
          Add a group
        </Button>
      )}
    </Part>
  );
}

function Figures({ screen, draft, onChange }: PartProps) {
  const { measures } = draft;
  const words = FIGURES.filter((figure) => figureFields(screen, figure).length > 0);
  const names = new Set(measures.map(({ name }) => name));
  const put = (at: number, one: Measure | null) => {
    const old = measures[at]!;
    const isTaken = one !== null && one.name !== old.name && names.has(one.name);
    if (isTaken) return;
    const next = measures.flatMap((other, place) => (place !== at ? [other] : one === null ? [] : [one]));
    const renamed = (name: string) => (name === old.name ? (one?.name ?? next[0]?.name ?? '') : name);
    onChange({
      ...draft,
      measures: next,
      sort: draft.sort ? { ...draft.sort, by: renamed(draft.sort.by) } : null,
      chart: draft.chart ? { ...draft.chart, y: renamed(draft.chart.y) } : null,
    });
  };
  /** The next measure to add: the number of records, otherwise the first of a field. */
  const further = (): Measure | undefined =>
    [
      countMeasure(screen),
      ...words.flatMap((figure) => figureFields(screen, figure).map((field) => measureOf(figure, field))),
    ].find(({ name }) => !names.has(name));
  const next = further();
  return (
    <Part title="Figures">
      {measures.map((measure, at) => {
        const is = figureOf(measure);
        const number = measures.length > 1 ? ` ${at + 1}` : '';
        const fields = is && is.figure !== 'count' ? figureFields(screen, is.figure) : [];
        return (
          <div key={measure.name} className={styles.line}>
            {is === null ? (
              <span className={styles.kept}>{measure.title}</span>
            ) : (
              <Select
                aria-label={`Figure${number}`}
                value={is.figure}
                onChange={(_, { value }) => {
                  if (value === 'count') return put(at, countMeasure(screen));
                  const of = figureFields(screen, value as FieldFigure);
                  const same = of.find(({ name }) => name === is.field);
                  const free = of.find((field) => !names.has(measureOf(value as FieldFigure, field).name));
                  const field = same ?? free;
                  if (field) put(at, measureOf(value as FieldFigure, field));
                }}
              >
                <option value="count">Number of records</option>
                {words.map((figure) => (
                  <option key={figure} value={figure}>
                    {FIGURE_WORDS[figure]}
                  </option>
                ))}
              </Select>
            )}
            {is !== null && is.figure !== 'count' && (
              <Select
                aria-label={`Field of figure${number}`}
                value={is.field}
                onChange={(_, { value }) => {
                  const field = fields.find(({ name }) => name === value);
                  if (field) put(at, measureOf(is.figure as FieldFigure, field));
                }}
              >
                {!fields.some(({ name }) => name === is.field) && <option value={is.field}>{measure.title}</option>}
                {fields
                  .filter(
                    (field) => field.name === is.field || !names.has(measureOf(is.figure as FieldFigure, field).name),
                  )
                  .map((field) => (
                    <option key={field.name} value={field.name}>
                      {field.title}
                    </option>
                  ))}
              </Select>
            )}
            <Button
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label={`Remove figure${number}`}
              onClick={() => put(at, null)}
            />
          </div>
        );
      })}
      {measures.length < MAX_MEASURES && next && (
        <Button
          size="small"
          icon={<AddRegular />}
          onClick={() =>
            onChange({
              ...draft,
              measures: [...measures, next],
              chart: draft.chart && draft.chart.y === '' ? { ...draft.chart, y: next.name } : draft.chart,
            })
          }
        >
          Add a figure
        </Button>
      )}
    </Part>
  );
}

function Narrowing({ screen, draft, onChange }: PartProps) {
  const fields = narrowFields(screen);
  const { filters } = draft;
  const titleOf = (name: string) => fields.find((field) => field.name === name)?.title ?? name;
  const free = fields.filter(({ name }) => !filters.includes(name));
  return (
    <Part title="What the reader chooses" help="Above the report, each reader narrows it by these fields.">
      {filters.map((name) => (
        <Checkbox
          key={name}
          label={titleOf(name)}
          checked
          onChange={() => onChange({ ...draft, filters: filters.filter((one) => one !== name) })}
        />
      ))}
      {free.length > 0 && (
        <Select
          aria-label="Add a field that the reader chooses"
          value=""
          onChange={(_, { value }) => value !== '' && onChange({ ...draft, filters: [...filters, value] })}
        >
          <option value="">Add a field</option>
          {free.map((field) => (
            <option key={field.name} value={field.name}>
              {field.title}
            </option>
          ))}
        </Select>
      )}
    </Part>
  );
}

function Order({ screen, draft, onChange }: PartProps) {
  const { sort, group, measures } = draft;
  const columns = [
    ...group.map((one) => ({
      name: columnOfGroup(one),
      title: screen.fields.find(({ name }) => name === fieldOfGroup(one))?.title ?? fieldOfGroup(one),
    })),
    ...measures,
  ];
  return (
    <Part title="Order">
      <div className={styles.line}>
        <Select
          aria-label="Order by"
          value={sort && columns.some(({ name }) => name === sort.by) ? sort.by : ''}
          onChange={(_, { value }) =>
            onChange({
              ...draft,
              sort: value === '' ? null : { by: value, descending: measures.some(({ name }) => name === value) },
            })
          }
        >
          <option value="">By the groups</option>
          {columns.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </Select>
        {sort && (
          <Select
            aria-label="Direction"
            value={sort.descending ? 'down' : 'up'}
            onChange={(_, { value }) => onChange({ ...draft, sort: { by: sort.by, descending: value === 'down' } })}
          >
            <option value="up">Lowest first</option>
            <option value="down">Highest first</option>
          </Select>
        )}
      </div>
    </Part>
  );
}

function Chart({ draft, onChange }: PartProps) {
  const { chart, measures, group } = draft;
  if (group.length > 1)
    return (
      <Part title="Chart">
        <p className={styles.faint}>A chart shows one group. Remove the others to draw one.</p>
      </Part>
    );
  return (
    <Part title="Chart">
      <div className={styles.line}>
        <Select
          aria-label="Kind of chart"
          value={chart?.kind ?? ''}
          onChange={(_, { value }) =>
            onChange({
              ...draft,
              chart: value === '' ? null : { kind: value as ChartKind, y: chart?.y ?? measures[0]?.name ?? '' },
            })
          }
        >
          <option value="">None</option>
          <option value="bar">Bars</option>
          <option value="line">Line</option>
          <option value="waterfall">Waterfall</option>
        </Select>
        {chart && measures.length > 1 && (
          <Select
            aria-label="Figure of the chart"
            value={chart.y}
            onChange={(_, { value }) => onChange({ ...draft, chart: { ...chart, y: value } })}
          >
            {measures.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </div>
    </Part>
  );
}
