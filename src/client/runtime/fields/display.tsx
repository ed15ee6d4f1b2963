import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { CheckmarkRegular, DocumentRegular, StarFilled } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { Suspense, lazy } from 'react';
import { Link } from 'react-router-dom';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { humanise } from '../../../descriptor/humanise.ts';
import { asReference } from '../../../descriptor/reference_by.ts';
import type { Field } from '../../../descriptor/types.ts';
import { pageAddress, useScreenRef } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import styles from './display.module.css';
import { ClockShown } from './clock/ClockShown.tsx';
import { openFile, useFileAddress } from './files/file_calls.ts';
import { HoverFacts } from './reference/hover_facts.tsx';

const RowsWidget = lazy(() => import('./rows/RowsWidget.tsx'));
const AnswersWidget = lazy(() => import('../questionnaire/AnswersWidget.tsx'));
const ShapedValue = lazy(() => import('./shaped/ShapedValue.tsx'));
const RichTextValue = lazy(() => import('./rich_text/RichTextValue.tsx'));

export interface FieldValueProps {
  field: Field;
  value: unknown;
  /** The record (or row) it belongs to: contains the labels of ids. */
  record?: Readonly<Record<string, unknown>>;
  /** Plain text: no links, no pictures. For cards and tooltips. */
  plain?: boolean;
}

/** A displayed value: text, not a disabled control. */
export function FieldValue({ field, value, record, plain = false }: FieldValueProps) {
  if (field.secret) return <>{record?.[`${field.name}__set`] === true ? <Muted>Stored, not shown</Muted> : <None />}</>;
  // Types displayed over several lines; the page may render them itself.
  if (field.type === 'answers' && !plain)
    return (
      <Suspense fallback={null}>
        <AnswersWidget field={field} id={`view-${field.name}`} value={value} onChange={nothing} />
      </Suspense>
    );
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <None />;
  const Shown = shown[field.type];
  // Names of fields and steps are chosen by their titles, and shown in words.
  const isName = field.fieldsOf !== undefined && field.type === 'text';
  const text = isName ? humanise(String(value)) : formatValue(field, value, record);
  if (Shown === undefined || (plain && !alwaysShown.has(field.type))) {
    return (
      <span className={fieldType(field.type).filter === 'number' ? styles.number : undefined}>
        {field.type === 'money' && !field.unit && unitOf(field)}
        {text}
        {field.unit && fieldType(field.type).filter === 'number' && <Muted> {field.unit}</Muted>}
      </span>
    );
  }
  return <Shown field={field} value={value} text={text} {...(record && { record })} />;
}

interface ShownProps {
  field: Field;
  value: unknown;
  text: string;
  record?: Readonly<Record<string, unknown>>;
}

const alwaysShown = new Set(['enum', 'boolean', 'rating', 'colour', 'clock']);

/** The rendering of types that need more than text. */
const shown: Record<string, (props: ShownProps) => ReactNode> = {
  enum: EnumValue,
  boolean: BooleanValue,
  rating: RatingValue,
  colour: ColourValue,
  email: ({ value, text }) => (
    <a className={styles.link} href={`mailto:${String(value)}`}>
      {text}
    </a>
  ),
  phone: ({ value, text }) => (
    <a className={styles.link} href={`tel:${String(value)}`}>
      {text}
    </a>
  ),
  url: UrlValue,
  long_text: ({ text }) => <span className={styles.lines}>{text}</span>,
  rich_text: ({ field, value }) => (
    <Suspense fallback={null}>
      <RichTextValue field={field} text={String(value)} />
    </Suspense>
  ),
  ref: RefValue,
  record: ({ field, record, ...props }) => {
    const own = asReference(field, record ?? {});
    return own ? <RefValue field={own} {...(record && { record })} {...props} /> : <>{props.text}</>;
  },
  refs: TagsValue,
  tags: TagsValue,
  geo: GeoValue,
  image: PictureValue,
  signature: PictureValue,
  file: FileValue,
  rows: RowsValue,
  clock: ({ value }) => <ClockShown value={value as ClockValue} />,
  json: ({ field, value }) =>
    field.shape ? (
      <Suspense fallback={null}>
        <ShapedValue field={field} value={value} />
      </Suspense>
    ) : (
      <pre className={styles.json}>{JSON.stringify(value, null, 2)}</pre>
    ),
};

function None() {
  return <Muted>–</Muted>;
}

function Muted({ children }: { children: ReactNode }) {
  return <span className={styles.muted}>{children}</span>;
}

function EnumValue({ field, value, text }: ShownProps) {
  const colour = field.options?.find((option) => option.value === value)?.colour;
  if (colour === undefined) return <>{text}</>;
  return (
    <span className={styles.badge} data-tone={colour}>
      {text}
    </span>
  );
}

function BooleanValue({ value, text }: ShownProps) {
  if (value !== true) return <Muted>{text}</Muted>;
  return (
    <span className={styles.withIcon}>
      <CheckmarkRegular aria-hidden /> {text}
    </span>
  );
}

function RatingValue({ value, field }: ShownProps) {
  const stars = Math.max(0, Math.min(10, Number(value)));
  const max = typeof field.schema.maximum === 'number' ? field.schema.maximum : 5;
  return (
    <span className={styles.stars} role="img" aria-label={`${stars} of ${max} stars`}>
      {Array.from({ length: stars }, (_, index) => (
        <StarFilled key={index} />
      ))}
    </span>
  );
}

function ColourValue({ value, text }: ShownProps) {
  return (
    <span className={styles.withIcon}>
      <span
        className={styles.swatch}
        style={{ backgroundColor: /^#[\da-f]{6}$/i.test(String(value)) ? String(value) : 'transparent' }}
        aria-hidden
      />{' '}
      {text}
    </span>
  );
}

function UrlValue({ value, text }: ShownProps) {
  // A page of the product itself.
  if (/^\/(?!\/)/.test(String(value)))
    return (
      <Link className={styles.link} to={String(value)}>
        Open
      </Link>
    );
  if (!/^https?:\/\//i.test(String(value))) return <>{text}</>;
  return (
    <a className={styles.link} href={String(value)} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function RefValue({ field, value, text }: ShownProps) {
  const type = field.ref?.type ?? '';
  const access = useScreenRef(type);
  const id = Number(value);
  const address = access ? (pageAddress(access, 'view_screen', id) ?? pageAddress(access, 'edit_screen', id)) : null;
  if (address === null) return <>{text}</>;
  return (
    <HoverFacts type={type} id={id} inline>
      <Link className={styles.link} to={address}>
        {text}
      </Link>
    </HoverFacts>
  );
}

function TagsValue({ text }: ShownProps) {
  return (
    <span className={styles.tags}>
      {text.split(', ').map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
    </span>
  );
}

function GeoValue({ value, text }: ShownProps) {
  const { lat, lng } = value as { lat: number; lng: number };
  return (
    <a
      className={styles.link}
      href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      {text}
    </a>
  );
}

/** The sheet itself, read-only. */
function RowsValue({ field, value }: ShownProps) {
  return (
    <Suspense fallback={null}>
      <RowsWidget field={field} id={`view-${field.name}`} value={value} readOnly onChange={nothing} />
    </Suspense>
  );
}

function nothing(): void {}

function PictureValue({ field, value, text }: ShownProps) {
  const id = Number(value);
  const signature = field.type === 'signature';
  const address = useFileAddress(id, signature);
  return (
    <button
      type="button"
      className={styles.picture}
      data-signature={signature ? '' : undefined}
      onClick={() => openFile(id).catch(cannotOpen)}
      aria-label={`Open ${text}`}
    >
      {address ? <img src={address} alt={field.title} /> : <span />}
    </button>
  );
}

function FileValue({ value, text }: ShownProps) {
  return (
    <button type="button" className={styles.file} onClick={() => openFile(Number(value)).catch(cannotOpen)}>
      <DocumentRegular aria-hidden /> {text}
    </button>
  );
}

function cannotOpen(): void {
  toast.error('The file could not be opened.');
}
