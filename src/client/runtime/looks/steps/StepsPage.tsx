import { Badge, Button, Spinner } from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { FilterExpression, WireRecord } from '../../../../descriptor/types.ts';
import type { OfferedStep } from '../../../../descriptor/workflow.ts';
import { stateOf } from '../../../../descriptor/workflow.ts';
import { ErrorView, Skeleton } from '../../../app/page.tsx';
import { useSession } from '../../../app/session.ts';
import { FieldValue } from '../../fields/display.tsx';
import { fieldOf, recordLabel } from '../../landing/cell_text.ts';
import type { PageProps } from '../../page_props.ts';
import type { AskedStep } from '../../workflow/take_step.ts';
import { askedStep } from '../../workflow/take_step.ts';
import { useStepForm } from '../../workflow/use_step_form.tsx';
import { LookFrame } from '../LookFrame.tsx';
import { useLookParameters } from '../use_look.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { useLiveRecord } from '../use_live_record.ts';
import styles from './steps.module.css';

const MAX_RECORDS = 200;
const badgeColours = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** The open records of a list one at a time, each with its next transition as a page. */
export default function StepsPage(props: PageProps) {
  const { screen, access } = props;
  const { entityId } = useSession();
  const [query, setQuery] = useSearchParams();
  const workflow = screen.workflow!;
  const open: FilterExpression = [
    workflow.field,
    'in',
    workflow.states.filter(({ is }) => is === 'open').map(({ name }) => name),
  ];
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: useLookParameters(screen),
    within: open,
    columns: [...screen.label, workflow.field],
    sort: screen.sort,
    max: MAX_RECORDS,
  });
  const given = Number(query.get('record'));
  const found = rows?.findIndex(({ id }) => id === given) ?? -1;
  const at = Math.max(0, found);
  // A record after its last transition stays visible until the person continues.
  const id = given > 0 ? given : rows?.[0]?.id;
  const show = (to: number | undefined) => {
    if (to === undefined) return;
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        next.set('record', String(to));
        return next;
      },
      { replace: true },
    );
  };
  return (
    <LookFrame
      {...props}
      look="steps"
      layout="page"
      count={rows?.length ?? null}
      more={more}
      empty={given === 0}
      error={error}
      retry={refresh}
    >
      <nav className={styles.turn} aria-label={screen.plural}>
        <Button
          icon={<ChevronLeftRegular />}
          aria-label="Previous"
          disabled={found <= 0}
          onClick={() => show(rows?.[at - 1]?.id)}
        />
        <span aria-live="polite">{found < 0 && given > 0 ? 'Done' : `${at + 1} of ${rows?.length ?? 0}`}</span>
        <Button
          icon={<ChevronRightRegular />}
          aria-label="Next"
          disabled={found >= 0 ? at + 1 >= (rows?.length ?? 0) : rows?.length === 0}
          onClick={() => show(found < 0 ? rows?.[0]?.id : rows?.[at + 1]?.id)}
        />
      </nav>
      {id !== undefined && <OneRecord key={id} screen={screen} access={access} id={id} />}
    </LookFrame>
  );
}

function OneRecord({ screen, access, id }: Pick<PageProps, 'screen' | 'access'> & { id: number }) {
  const { record, error, reload } = useLiveRecord(screen, id);
  const [chosen, setChosen] = useState<string | null>(null);
  if (error && !record) return <ErrorView error={error} retry={reload} />;
  if (!record) return <Skeleton rows={6} label="Loading the record" />;
  const workflow = screen.workflow!;
  const state = stateOf(workflow, record);
  const offers = ((record._can as OfferedStep[] | undefined) ?? []).flatMap((offer) => {
    const transition = workflow.transitions.find(({ name }) => name === offer.name);
    return transition ? [{ offer, transition: askedStep(screen, transition, offer) }] : [];
  });
  const shown = offers.find(({ offer }) => offer.name === chosen) ?? offers[0];
  const address = access.rights.view_screen
    ? access.routes.view
    : access.rights.edit_screen
      ? access.routes.edit
      : null;
  const title = recordLabel(screen, record);
  return (
    <article className={styles.page} aria-label={title}>
      <h2>
        {address ? <Link to={address.replace(':id', String(id))}>{title}</Link> : title}{' '}
        <Badge appearance="tint" color={badgeColours[state.colour]}>
          {state.title}
        </Badge>
      </h2>
      <dl className={styles.facts}>
        {screen.looks!.steps!.card.flatMap((name) => {
          const field = fieldOf(screen, name);
          const value = record[name];
          if (!field || value === null || value === undefined || value === '') return [];
          return [
            <div key={name}>
              <dt>{field.title}</dt>
              <dd>
                <FieldValue field={field} value={value} record={record} />
              </dd>
            </div>,
          ];
        })}
      </dl>
      {shown ? (
        <Step
          key={`${shown.offer.name} ${record.version}`}
          screen={screen}
          record={record}
          transition={shown.transition}
          blocked={shown.offer.blocked}
          onTaken={() => {
            setChosen(null);
            reload();
          }}
        />
      ) : (
        <p className={styles.none}>
          {state.is === 'open'
            ? 'There is no step for you now. Somebody else takes the next one.'
            : 'Nothing more to do.'}
        </p>
      )}
      {offers.length > 1 && (
        <div className={styles.others} role="group" aria-label="Other steps">
          {offers
            .filter((one) => one !== shown)
            .map(({ offer, transition }) => (
              <Button key={offer.name} onClick={() => setChosen(offer.name)}>
                {transition.title}…
              </Button>
            ))}
        </div>
      )}
    </article>
  );
}

/** A transition as a page: its fields, and the button that takes it. */
function Step({
  blocked,
  ...step
}: {
  screen: PageProps['screen'];
  record: WireRecord;
  transition: AskedStep;
  blocked: string | null;
  onTaken: (record: WireRecord) => void;
}) {
  const { questions, take, busy } = useStepForm({ ...step, onKept: () => undefined });
  const { title } = step.transition;
  return (
    <section className={styles.step} aria-label={title}>
      {questions}
      {blocked !== null && <p className={styles.none}>{blocked}</p>}
      <Button
        appearance="primary"
        size="large"
        className={styles.take}
        disabled={blocked !== null}
        aria-busy={busy}
        {...(busy && { icon: <Spinner size="tiny" /> })}
        onClick={() => void take()}
      >
        {title}
      </Button>
    </section>
  );
}
