import { Button } from '@fluentui/react-components';
import { LocationRegular, OpenRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import styles from './fields.module.css';
import { InputBox } from './input_box.tsx';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

interface Place {
  lat: number;
  lng: number;
}

const limits = { lat: 90, lng: 180 };
const words = { lat: 'Latitude', lng: 'Longitude' };

function placeOf(value: unknown): Partial<Place> {
  return typeof value === 'object' && value !== null ? (value as Partial<Place>) : {};
}

/** A location: typed, pasted as "13.0827, 80.2707", or the position of this device. */
export function GeoWidget(props: WidgetProps) {
  const { id, field, onChange, onProblem, onBlur, invalid } = props;
  const place = placeOf(props.value);
  const [half, setHalf] = useState<{ lat?: string; lng?: string } | null>(null);
  const [finding, setFinding] = useState(false);
  const fixed = props.readOnly === true || props.disabled === true;
  if (props.bare) return <TextControl props={props} placeholder="lat, lng" />;

  const text = (key: keyof Place) => half?.[key] ?? (place[key] === undefined ? '' : String(place[key]));
  const take = (key: keyof Place, typed: string) => {
    const both = /[,;\s]\s*-?\d/.test(typed.trim()) ? fieldType('geo').parse(typed, field) : null;
    const next = { lat: text('lat'), lng: text('lng'), [key]: typed };
    if (both && 'value' in both) {
      setHalf(null);
      onProblem?.(null);
      onChange(both.value);
      return;
    }
    setHalf(next);
  };
  const settle = () => {
    if (half) {
      const { lat = '', lng = '' } = half;
      const problem = placeProblem(lat, lng);
      onProblem?.(problem);
      if (problem === null) {
        setHalf(null);
        onChange(lat.trim() === '' ? null : { lat: Number(lat), lng: Number(lng) });
      }
    }
    onBlur?.();
  };
  const here = () => {
    setFinding(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setFinding(false);
        setHalf(null);
        onProblem?.(null);
        onChange({ lat: Number(coords.latitude.toFixed(6)), lng: Number(coords.longitude.toFixed(6)) });
      },
      ({ code }) => {
        setFinding(false);
        onProblem?.(
          code === 1
            ? 'The browser is not allowed to share your location. Allow it for this site, or type the position.'
            : 'Your position could not be found. Type it instead.',
        );
      },
      { enableHighAccuracy: true, timeout: 15_000 },
    );
  };
  return (
    <div
      className={styles.line}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-message`}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && settle()}
    >
      {(['lat', 'lng'] as const).map((key) => (
        <span key={key} className={styles.grow}>
          <InputBox invalid={invalid} fixed={fixed}>
            <input
              id={key === 'lat' ? id : `${id}-lng`}
              className={styles.input}
              aria-label={words[key]}
              placeholder={words[key]}
              inputMode="decimal"
              autoComplete="off"
              value={text(key)}
              readOnly={props.readOnly === true}
              disabled={props.disabled === true}
              {...(invalid && { 'aria-invalid': true })}
              onChange={({ target }) => take(key, target.value)}
            />
          </InputBox>
        </span>
      ))}
      {!fixed && 'geolocation' in navigator && (
        <Button icon={<LocationRegular />} disabled={finding} onClick={here}>
          {finding ? 'Finding…' : 'Use my position'}
        </Button>
      )}
      {place.lat !== undefined && place.lng !== undefined && (
        <a
          className={styles.iconButton}
          href={`https://www.openstreetmap.org/?mlat=${place.lat}&mlon=${place.lng}#map=17/${place.lat}/${place.lng}`}
          target="_blank"
          rel="noopener noreferrer"
          aria-label="Show on a map"
        >
          <OpenRegular />
        </a>
      )}
    </div>
  );
}

/** The error in a typed location; null if it is valid or empty. */
export function placeProblem(lat: string, lng: string): string | null {
  if (lat.trim() === '' && lng.trim() === '') return null;
  for (const [key, text] of [
    ['lat', lat],
    ['lng', lng],
  ] as const) {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (!(Math.abs(number) <= limits[key])) return `${words[key]} is a number from -${limits[key]} to ${limits[key]}.`;
  }
  return null;
}
