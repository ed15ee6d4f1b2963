import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { useScreen, useScreenRef } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import AnswersWidget from '../../runtime/questionnaire/AnswersWidget.tsx';
import { FieldHostContext } from '../../runtime/fields/widget.ts';
import { FaultCodes } from './FaultCodes.tsx';
import { fieldNamed } from './field_named.ts';
import { JobHistoryForm } from './JobHistoryForm.tsx';
import { LiftHistory } from './LiftHistory.tsx';
import { PartsUsed } from './PartsUsed.tsx';
import { Photo, PhotoButton } from './PhotoButton.tsx';
import type { VisitProps } from './visit_props.ts';
import { hostOf, saveOfVisit } from './visit_acts.ts';
import styles from './visit.module.css';

const PARTS = ['checklist', 'history', 'photos', 'faults', 'parts'] as const;
type Part = (typeof PARTS)[number];

/** The work: checklist, findings, work done, photos, fault codes, parts. */
export function WorkPanel(props: VisitProps) {
  const { record } = props;
  const [open, setOpen] = useState<Part | null>(null);
  const hasChecklist = typeof record.answers === 'number';
  const photos = Array.isArray(record.photos) ? record.photos.length : 0;
  const titles: Record<Part, string> = {
    checklist: 'Checklist',
    history: 'Found and done',
    photos: photos === 0 ? 'Photos' : `Photos (${photos})`,
    faults: 'Fault codes',
    parts: 'Parts and material',
  };
  return (
    <>
      {PARTS.filter((part) => part !== 'checklist' || hasChecklist).map((part) => (
        <section key={part} className={styles.card} aria-label={titles[part]}>
          <button
            type="button"
            className={styles.choice}
            aria-expanded={open === part}
            onClick={() => setOpen(open === part ? null : part)}
          >
            <span aria-hidden>{open === part ? '▾' : '▸'}</span>
            {titles[part]}
          </button>
          {open === part && <Opened part={part} {...props} />}
        </section>
      ))}
    </>
  );
}

function Opened({ part, ...props }: VisitProps & { part: Part }) {
  switch (part) {
    case 'checklist':
      return <Checklist {...props} />;
    case 'history':
      return <Found {...props} />;
    case 'photos':
      return <Photos {...props} />;
    case 'faults':
      return <FaultCodes liftId={props.record.lift_id} />;
    case 'parts':
      return <Parts {...props} />;
  }
}

function Checklist({ screen, record }: VisitProps) {
  const host = useMemo(() => hostOf(screen, record), [screen, record]);
  return (
    <FieldHostContext value={host}>
      <AnswersWidget
        field={fieldNamed(screen, 'answers')}
        id="checklist"
        value={record.answers}
        onChange={() => undefined}
      />
    </FieldHostContext>
  );
}

function Found(props: VisitProps) {
  const { screen: history } = useScreen('job_history');
  const [turn, setTurn] = useState(0);
  if (!history) return <p>One moment…</p>;
  return (
    <>
      <JobHistoryForm {...props} history={history} onSaved={() => setTurn((old) => old + 1)} />
      <LiftHistory key={turn} liftId={props.record.lift_id} />
    </>
  );
}

function Photos({ screen, record, reload }: VisitProps) {
  const rows = (Array.isArray(record.photos) ? record.photos : []) as { kind: string; image: number }[];
  const [wrong, setWrong] = useState<string | null>(null);
  const add = async (kind: string, image: number) => {
    const photos = [...rows, { kind, image, taken_at: new Date().toISOString() }];
    const done = await saveOfVisit(screen, { ...record, photos }, record);
    setWrong(done.refused);
    if (done.waits) toast.info('Stored on this device. It is sent when the network is back.');
    if (done.refused === null) reload();
  };
  const field = fieldNamed(screen, 'photos.image');
  return (
    <>
      <div className={styles.two}>
        <PhotoButton screen={screen} field={field} label="Before" onTaken={(file) => add('before', file)} />
        <PhotoButton screen={screen} field={field} label="After" onTaken={(file) => add('after', file)} />
      </div>
      {wrong !== null && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <div className={styles.photos}>
        {rows.map(({ kind, image }) => (
          <Photo key={image} file={image} name={kind} />
        ))}
      </div>
    </>
  );
}

function Parts({ record }: VisitProps) {
  const uses = useScreenRef('mr_consumption');
  const { screen: used } = useScreen('mr_consumption');
  const requests = useScreenRef('mr');
  const words: Record<string, string> = {
    covered: 'Parts are covered by the contract, as the AMC type specifies for each spare group.',
    warranty: 'The lift is in warranty: parts are free.',
    chargeable: 'Parts are charged to the customer.',
    none: 'There is no contract: parts are charged to the customer.',
  };
  return (
    <>
      <p>{words[String(record.cover)] ?? 'Whether parts are covered is not known yet.'}</p>
      {typeof record.cover_because === 'string' && <p className={styles.soft}>{record.cover_because}</p>}
      {uses?.rights.add_screen && used && <PartsUsed ticket={record} uses={used} />}
      {requests && (
        <Link className={styles.big} to={`${requests.routes.add}?from=fms_ticket/${record.id}&make=material_request`}>
          Request material
        </Link>
      )}
      <Link className={styles.big} to="/mr_landing">
        Material on its way
      </Link>
    </>
  );
}
