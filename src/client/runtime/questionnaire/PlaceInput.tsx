import { useState } from 'react';
import { answerText } from '../../../domain/questionnaire/shown_text.ts';
import type { QuestionProps } from './question_props.ts';
import { named } from './question_props.ts';
import styles from './questionnaire.module.css';
import { TextBox } from './TextInput.tsx';

type Place = { lat?: number; lng?: number };

/** The position of this device, or a typed one. */
export function PlaceInput(props: QuestionProps) {
  const { asked, id, fixed, onChange } = props;
  const [finding, setFinding] = useState(false);
  const [problem, setProblem] = useState('');
  const [half, setHalf] = useState<{ lat?: string | null; lng?: string | null }>({});
  const place = (asked.value ?? {}) as Place;
  const here = () => {
    setFinding(true);
    setProblem('');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setFinding(false);
        onChange({ lat: coords.latitude, lng: coords.longitude, accuracy: Math.round(coords.accuracy) });
      },
      () => {
        setFinding(false);
        setProblem('The location of this device is not available. Type the place.');
      },
      { enableHighAccuracy: true, timeout: 20_000 },
    );
  };
  const typed = (key: keyof Place) => (value: string | null) => {
    const now = { lat: place.lat?.toString() ?? null, lng: place.lng?.toString() ?? null, ...half, [key]: value };
    setHalf(now);
    if (!now.lat || !now.lng) return onChange(null);
    const [lat, lng] = [Number(now.lat), Number(now.lng)];
    const exists = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
    setProblem(exists ? '' : 'This place does not exist.');
    if (exists) onChange({ lat, lng });
  };
  return (
    <div role="group" className={styles.list} {...named(props)}>
      <div className={styles.place}>
        {(['lat', 'lng'] as const).map((key) => (
          <TextBox
            key={key}
            id={`${id}-${key}`}
            label={key === 'lat' ? 'Latitude' : 'Longitude'}
            placeholder={key === 'lat' ? 'Latitude' : 'Longitude'}
            value={half[key] ?? place[key]?.toString() ?? ''}
            fixed={fixed}
            onChange={typed(key)}
          />
        ))}
        <button type="button" className={styles.button} disabled={fixed || finding} onClick={here}>
          {finding ? 'Looking for the place' : 'Where I am'}
        </button>
      </div>
      <output className={styles.hint}>{problem || answerText(asked)}</output>
    </div>
  );
}
