import { EditRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { Suspense, lazy, useMemo } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { isShown } from '../../../descriptor/validate.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { pageAddress, useScreen, useScreenRef } from '../../api/screens.ts';
import type { PageAction } from '../../app/page_action.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { ClockShown } from '../../runtime/fields/clock/ClockShown.tsx';
import { FieldValue } from '../../runtime/fields/display.tsx';
import type { FieldHost } from '../../runtime/fields/widget.ts';
import { FieldHostContext } from '../../runtime/fields/widget.ts';
import { useLiveRecord } from '../../runtime/looks/use_live_record.ts';
import { makeActions } from '../../runtime/workflow/make_actions.tsx';
import { usePrints } from '../../runtime/print/use_prints.tsx';
import StepBar from '../../runtime/workflow/StepBar.tsx';
import { isOpenToEdit, useSteps } from '../../runtime/workflow/use_steps.tsx';
import { RescueStrip } from './RescueStrip.tsx';
import styles from './ticket.module.css';

const Timeline = lazy(() => import('../../runtime/history/Timeline.tsx'));
const RelatedRecords = lazy(() => import('../../runtime/related/RelatedRecords.tsx'));

/** The cards of the desk's page; a card without values is left out. */
const CARDS: { title: string; fields: string[]; wide?: true }[] = [
  {
    title: 'Call',
    fields: [
      'lift_id',
      'building_id',
      'customer_id',
      'caller_name',
      'caller_phone',
      'category_id',
      'subcategory_id',
      'priority',
      'reported_at',
      'source',
      'lift_down',
      'down_from',
      'repeat_of_id',
      'duplicate_of_id',
      'description',
    ],
  },
  { title: 'Cover', fields: ['cover', 'cover_because', 'misuse_note', 'contract_id', 'amc_type_id'] },
  {
    title: 'People',
    fields: ['technician_id', 'helper_ids', 'team_id', 'leader_id', 'supervisor_id', 'coordinator_id', 'planned_on'],
  },
  { title: 'Who was there', fields: ['assignments', 'pauses', 'desk_calls'], wide: true },
  {
    title: 'Work',
    fields: [
      'running_before',
      'running_after',
      'unsafe_because',
      'isolation',
      'root_cause_id',
      'action_taken_id',
      'work_done',
      'photos',
    ],
  },
  { title: 'Checklist', fields: ['survey_type_id', 'answers'], wide: true },
  { title: 'Parts used', fields: ['parts', 'parts_cost'], wide: true },
  { title: 'To be charged', fields: ['charge_lines', 'charge_total', 'billed'], wide: true },
  {
    title: 'Sign-off',
    fields: [
      'signed_by',
      'signed_designation_id',
      'signature',
      'code_ok',
      'absent_reason',
      'absent_photo',
      'rating',
      'customer_comment_id',
      'closes_at',
    ],
  },
];

/** A ticket at the desk: call, people, times, work, cost and signature on one screen, with the possible transitions. */
export default function TicketDesk({ id }: { id: number }) {
  const { screen, error } = useScreen('fms_ticket');
  if (screen) return <Loading key={id} screen={screen} id={id} />;
  return (
    <Page title="Ticket">
      <PageBody>{error ? <ErrorView error={error} home /> : <Skeleton rows={10} />}</PageBody>
    </Page>
  );
}

function Loading({ screen, id }: { screen: Screen; id: number }) {
  const { record, error, reload } = useLiveRecord(screen, id);
  if (record) return <Desk screen={screen} record={record} reload={reload} />;
  return (
    <Page title={screen.title}>
      <PageBody>{error ? <ErrorView error={error} retry={reload} home /> : <Skeleton rows={10} />}</PageBody>
    </Page>
  );
}

function Desk({ screen, record, reload }: { screen: Screen; record: WireRecord; reload: () => void }) {
  const access = useScreenRef(screen.name);
  const { steps, dialog } = useSteps(screen, record, reload);
  const { actions: prints } = usePrints(screen, record);
  const host = useMemo<FieldHost>(
    () => ({
      screen,
      values: () => record,
      subscribe: () => () => undefined,
      setValues: () => undefined,
      drafts: new Set(),
    }),
    [screen, record],
  );
  const state = stateOf(screen.workflow!, record);
  const mayEdit = access?.rights.edit_screen && access.rights.write && isOpenToEdit(screen, record);
  const edit: PageAction[] = mayEdit
    ? [{ label: 'Edit', icon: <EditRegular />, to: pageAddress(access, 'edit_screen', record.id) ?? '' }]
    : [];
  const [primary, ...others] = steps.filter(({ disabled, leadsOn }) => !disabled && leadsOn);
  const rest = steps.filter((one) => one !== primary && !others.includes(one));
  return (
    <Page
      title={String(record.ticket_no ?? screen.title)}
      number={String(record.building_id__label ?? '')}
      status={{ label: state.title, tone: state.colour }}
      {...(primary && { primary })}
      secondary={[...others.slice(0, 2), ...makeActions(screen, record, reload), ...edit]}
      more={[...others.slice(2), ...rest, ...prints]}
    >
      <PageBody>
        <div className={styles.desk}>
          <div className={styles.main}>
            {record.trapped === true && <RescueStrip record={record} />}
            <Clocks record={record} />
            <StepBar screen={screen} record={record} />
            <FieldHostContext value={host}>
              <div className={styles.cards}>
                {CARDS.map((card) => (
                  <Card key={card.title} {...card} screen={screen} record={record} />
                ))}
              </div>
            </FieldHostContext>
            <Suspense fallback={null}>
              <RelatedRecords key={record.version} screen={screen} id={String(record.id)} />
            </Suspense>
          </div>
          <aside className={styles.side}>
            <Suspense fallback={<Skeleton rows={4} />}>
              <Timeline key={record.version} screen={screen} id={String(record.id)} />
            </Suspense>
          </aside>
        </div>
        {dialog}
      </PageBody>
    </Page>
  );
}

/** The promised times, counting down, and whether they were met. */
function Clocks({ record }: { record: WireRecord }) {
  const clocks = [
    ['On site', record.respond_clock, record.respond_met],
    ['Running again', record.restore_clock, record.restore_met],
  ] as const;
  return (
    <dl className={styles.clocks}>
      {clocks.map(([title, clock, met]) =>
        clock ? (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {met === true ? (
                <span className={styles.kept}>In time</span>
              ) : met === false ? (
                <span className={styles.missed}>Late</span>
              ) : (
                <ClockShown value={clock as ClockValue} />
              )}
            </dd>
          </div>
        ) : null,
      )}
      {Number(record.reopened ?? 0) > 0 && (
        <div>
          <dt>Reopened</dt>
          <dd>{String(record.reopened)} ×</dd>
        </div>
      )}
      {record.repeat_of_id !== null && record.repeat_of_id !== undefined && (
        <div>
          <dt>Repeat of</dt>
          <dd>{String(record.repeat_of_id__label ?? '')}</dd>
        </div>
      )}
    </dl>
  );
}

function Card({
  title,
  fields,
  wide,
  screen,
  record,
}: {
  title: string;
  fields: string[];
  wide?: true;
  screen: Screen;
  record: WireRecord;
}): ReactNode {
  const shown = fields.flatMap((name) => {
    const field = screen.fields.find((one) => one.name === name);
    const value = record[name];
    const empty =
      value === null ||
      value === undefined ||
      value === '' ||
      value === false ||
      (Array.isArray(value) && value.length === 0);
    return field && !empty && isShown(screen, field, { ...record }) ? [field] : [];
  });
  if (shown.length === 0) return null;
  return (
    <section className={styles.card} data-wide={wide} aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {shown.map((field) => (
          <div key={field.name} data-wide={field.rows !== undefined || field.type === 'long_text' ? '' : undefined}>
            {(field.title !== title || !wide) && <dt>{field.title}</dt>}
            <dd>
              <FieldValue field={field} value={record[field.name]} record={record} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
