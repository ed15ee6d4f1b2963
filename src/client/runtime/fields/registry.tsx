import type { ComponentType } from 'react';
import { Suspense, lazy } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../descriptor/types.ts';
import { BooleanWidget } from './boolean.tsx';
import { FixedLengthWidget } from './capitals.tsx';
import { CodeWidget } from './code.tsx';
import { ComputedWidget } from './computed.tsx';
import { DateWidget } from './date.tsx';
import { DateTimeWidget } from './datetime.tsx';
import { DurationWidget } from './duration.tsx';
import { EmailWidget } from './email.tsx';
import { EnumWidget } from './enum.tsx';
import styles from './fields.module.css';
import { FinancialYearWidget } from './financial_year.tsx';
import { LongTextWidget } from './long_text.tsx';
import { MonthWidget } from './month.tsx';
import { NumberWidget } from './number.tsx';
import { PhoneWidget } from './phone/phone.tsx';
import { RefPicker } from './reference/RefPicker.tsx';
import { TextWidget } from './text.tsx';
import { TimeWidget } from './time.tsx';
import { UrlWidget } from './url.tsx';
import type { WidgetProps } from './widget.ts';

/** The width class of a field's content; the form's grid converts it to columns. */
export type FieldWidth = 'xs' | 's' | 'm' | 'l' | 'full';

interface Entry {
  Widget: ComponentType<WidgetProps>;
  width: FieldWidth;
  /** Several controls: its label names a group and has no `for`. */
  group?: boolean;
}

/** A widget that is loaded when a form first needs it. */
function later(load: () => Promise<{ default: ComponentType<WidgetProps> }>): ComponentType<WidgetProps> {
  const Widget = lazy(load);
  return function Later(props: WidgetProps) {
    return (
      <Suspense fallback={<div className={styles.waiting} aria-hidden />}>
        <Widget {...props} />
      </Suspense>
    );
  };
}

const FileWidget = later(() => import('./files/FileWidget.tsx'));

/** Every widget by the name that the field types use. */
const widgets: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['text', { Widget: TextWidget, width: 'm' }],
  ['code', { Widget: CodeWidget, width: 's' }],
  ['long_text', { Widget: LongTextWidget, width: 'l' }],
  ['rich_text', { Widget: later(() => import('./rich_text/RichTextWidget.tsx')), width: 'full', group: true }],
  ['integer', { Widget: NumberWidget, width: 's' }],
  ['decimal', { Widget: NumberWidget, width: 's' }],
  ['money', { Widget: NumberWidget, width: 's' }],
  ['percent', { Widget: NumberWidget, width: 's' }],
  ['quantity', { Widget: NumberWidget, width: 's' }],
  ['date', { Widget: DateWidget, width: 's' }],
  ['time', { Widget: TimeWidget, width: 'xs' }],
  ['datetime', { Widget: DateTimeWidget, width: 's' }],
  ['month', { Widget: MonthWidget, width: 's' }],
  ['financial_year', { Widget: FinancialYearWidget, width: 's' }],
  ['boolean', { Widget: BooleanWidget, width: 's' }],
  ['enum', { Widget: EnumWidget, width: 'm' }],
  ['email', { Widget: EmailWidget, width: 'm' }],
  ['phone', { Widget: PhoneWidget, width: 's' }],
  ['url', { Widget: UrlWidget, width: 'm' }],
  ['gstin', { Widget: FixedLengthWidget, width: 's' }],
  ['pan', { Widget: FixedLengthWidget, width: 's' }],
  ['ifsc', { Widget: FixedLengthWidget, width: 's' }],
  ['pincode', { Widget: FixedLengthWidget, width: 'xs' }],
  ['geo', { Widget: later(async () => ({ default: (await import('./geo.tsx')).GeoWidget })), width: 'l', group: true }],
  ['colour', { Widget: later(async () => ({ default: (await import('./colour.tsx')).ColourWidget })), width: 'xs' }],
  ['image', { Widget: FileWidget, width: 'm', group: true }],
  ['file', { Widget: FileWidget, width: 'm', group: true }],
  ['signature', { Widget: later(() => import('./signature/SignatureWidget.tsx')), width: 'm', group: true }],
  [
    'rating',
    { Widget: later(async () => ({ default: (await import('./rating.tsx')).RatingWidget })), width: 's', group: true },
  ],
  ['duration', { Widget: DurationWidget, width: 'xs' }],
  ['tags', { Widget: later(async () => ({ default: (await import('./tags.tsx')).TagsWidget })), width: 'l' }],
  ['json', { Widget: later(async () => ({ default: (await import('./json.tsx')).JsonWidget })), width: 'full' }],
  [
    'clock',
    {
      Widget: later(async () => ({ default: (await import('./clock/ClockShown.tsx')).ClockWidget })),
      width: 'm',
      group: true,
    },
  ],
  ['ref', { Widget: RefPicker, width: 'm' }],
  [
    'record',
    {
      Widget: later(async () => ({ default: (await import('./reference/RecordPicker.tsx')).RecordPicker })),
      width: 'm',
    },
  ],
  [
    'refs',
    { Widget: later(async () => ({ default: (await import('./reference/RefsPicker.tsx')).RefsPicker })), width: 'l' },
  ],
  ['answers', { Widget: later(() => import('../questionnaire/AnswersWidget.tsx')), width: 'full', group: true }],
  ['rows', { Widget: later(() => import('./rows/RowsWidget.tsx')), width: 'full', group: true }],
]);

const text = widgets.get('text')!;
const shaped: Entry = { Widget: later(() => import('./shaped/ShapedWidget.tsx')), width: 'full', group: true };
const named: Entry = {
  Widget: later(async () => ({ default: (await import('./field_names.tsx')).FieldNames })),
  width: 'm',
};
const Secret = lazy(async () => ({ default: (await import('./secret.tsx')).SecretWidget }));

function entryOf(field: Field): Entry {
  if (field.shape) return shaped;
  if (field.fieldsOf && field.type === 'text') return named;
  return widgets.get(fieldType(field.type).widget) ?? text;
}

const secrets = new Map<ComponentType<WidgetProps>, ComponentType<WidgetProps>>();

/** One component per kind of control, so that a re-render never replaces it and loses typed text. */
function secretWidget(Plain: ComponentType<WidgetProps>): ComponentType<WidgetProps> {
  const known = secrets.get(Plain);
  if (known) return known;
  function Hidden(props: WidgetProps) {
    return (
      <Suspense fallback={<div className={styles.waiting} aria-hidden />}>
        <Secret {...props} Plain={Plain} />
      </Suspense>
    );
  }
  secrets.set(Plain, Hidden);
  return Hidden;
}

/** The control of a field. */
export function widgetFor(field: Field): ComponentType<WidgetProps> {
  // A choice that cannot be changed is shown as a value, not as inactive buttons.
  if ((field.formula !== undefined && field.type !== 'rows') || (field.readOnly && field.type === 'enum'))
    return ComputedWidget;
  const { Widget } = entryOf(field);
  return field.secret ? secretWidget(Widget) : Widget;
}

/** The width of a field's control. */
export function fieldWidth(field: Field): FieldWidth {
  const limit = field.schema.maxLength;
  const entry = entryOf(field);
  if (entry === text && typeof limit === 'number')
    return limit <= 8 ? 'xs' : limit <= 24 ? 's' : limit > 160 ? 'l' : 'm';
  if (field.type === 'enum')
    return Math.max(0, ...(field.options ?? []).map(({ label }) => label.length)) <= 16 &&
      (field.options?.length ?? 0) > 3
      ? 's'
      : 'm';
  return entry.width;
}

/** True when the field's label names a group of controls. */
export function isGroup(field: Field): boolean {
  return entryOf(field).group === true;
}
