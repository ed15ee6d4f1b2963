import { useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { toast } from '../../app/feedback.ts';
import { currentSession } from '../../app/session.ts';
import { BigButton } from './BigButton.tsx';
import { fieldNamed } from './field_named.ts';
import { FindingInput, NOTHING_FOUND, findingFields, isFound } from './FindingInput.tsx';
import { Photo, PhotoButton } from './PhotoButton.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import type { VisitProps } from './visit_props.ts';
import { useKept, useKeptList } from './use_kept.ts';
import { saveOfVisit } from './visit_acts.ts';
import styles from './visit.module.css';

/** Component → what is recorded → what was found. */
export function JobHistoryForm({ record, history, onSaved }: VisitProps & { history: Screen; onSaved: () => void }) {
  const [group, setGroup] = useState<number | null>(null);
  const [type, setType] = useState<number | null>(null);
  const [found, setFound] = useState(NOTHING_FOUND);
  const [code, setCode] = useState('');
  const [remark, setRemark] = useState('');
  const [photo, setPhoto] = useState<number | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const kind = useKept('attribute_lookup_type', type);
  const tiles = useKeptList('attribute_lookup_group', ['phone_tile', 'eq', true], 'seq,name');
  const finding = useKept('attribute_lookup', found.id);
  const choose = (id: number | null) => {
    setGroup(id);
    setType(null);
    setFound(NOTHING_FOUND);
  };
  const isReady = kind !== null && (isFound(kind, found) || code.trim() !== '');
  const save = async () => {
    setBusy(true);
    const employee = currentSession().employeeId ?? record.technician_id;
    const done = await saveOfVisit(history, {
      lift_id: record.lift_id,
      fms_ticket_id: record.id,
      employee_id: employee,
      done_at: new Date().toISOString(),
      attribute_lookup_group_id: group,
      attribute_lookup_type_id: type,
      ...findingFields(found),
      ...(code.trim() !== '' && { fault_code: code.trim() }),
      ...(remark.trim() !== '' && { remark: remark.trim() }),
      ...(photo !== null && { photo }),
    });
    setBusy(false);
    setWrong(done.refused);
    if (done.refused !== null) return;
    if (done.waits) toast.info('Stored on this device. It is sent when the network is back.');
    else toast.success('Recorded.');
    setType(null);
    setFound(NOTHING_FOUND);
    setCode('');
    setRemark('');
    setPhoto(null);
    onSaved();
  };
  return (
    <>
      <div className={styles.two} role="group" aria-label="Components">
        {tiles?.map(({ id, name }) => (
          <BigButton key={id} main={group === id} onPress={() => choose(id)}>
            {String(name)}
          </BigButton>
        ))}
      </div>
      <RecordChoice
        type="attribute_lookup_group"
        title="Other component"
        value={group}
        within={['phone_tile', 'ne', true]}
        onChange={choose}
      />
      {group !== null && (
        <RecordChoice
          key={`of ${group}`}
          type="attribute_lookup_type"
          title="What you record"
          value={type}
          within={['attribute_lookup_group_id', 'eq', group]}
          onChange={(id) => (setType(id), setFound(NOTHING_FOUND))}
        />
      )}
      {type !== null && kind && <FindingInput key={`in ${type}`} kind={kind} found={found} onFound={setFound} />}
      {typeof finding?.suggest_spare_group_id__label === 'string' && (
        <p className={styles.soft}>
          Usually needed: {finding.suggest_spare_group_id__label}. Parts are under "Parts and material".
        </p>
      )}
      {type !== null && kind?.records === 'fault' && (
        <label className={styles.label}>
          Fault code shown
          <input
            className={styles.input}
            value={code}
            maxLength={20}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
      )}
      {type !== null && (
        <>
          <label className={styles.label}>
            What was done
            <input
              className={styles.input}
              value={remark}
              maxLength={500}
              onChange={({ target }) => setRemark(target.value)}
            />
          </label>
          <PhotoButton screen={history} field={fieldNamed(history, 'photo')} label="Photo" onTaken={setPhoto} />
          {photo !== null && (
            <div className={styles.photos}>
              <Photo file={photo} name="Photo" />
            </div>
          )}
          {wrong !== null && (
            <p className={styles.wrong} role="alert">
              {wrong}
            </p>
          )}
          <BigButton main busy={busy} disabled={!isReady} onPress={() => void save()}>
            Record it
          </BigButton>
        </>
      )}
    </>
  );
}
