import { Suspense, lazy, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import useSWR from 'swr';
import type { JsonSchema } from '../../../../descriptor/types.ts';
import { api } from '../../../api/http.ts';
import styles from '../fields.module.css';
import type { WidgetProps } from '../widget.ts';
import { FieldErrorsContext, useFieldHost } from '../widget.ts';
import type { Member } from './ShapedFields.tsx';
import { ShapedFields } from './ShapedFields.tsx';
import { fieldsOfShape } from '../../../../descriptor/shape_fields.ts';

const DescribedList = lazy(() => import('./DescribedList.tsx'));

const asMember = (value: unknown): Member =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Member) : {};

/** The fields that another record defines, or the list in which a record defines fields for others. */
export default function ShapedWidget(props: WidgetProps) {
  if (props.field.shape !== 'fields') return <Described {...props} />;
  return (
    <Suspense fallback={<div className={styles.waiting} aria-hidden />}>
      <DescribedList {...props} />
    </Suspense>
  );
}

function Described(props: WidgetProps) {
  const { field, id, value, onChange } = props;
  const host = useFieldHost();
  const messages = useContext(FieldErrorsContext);
  const via = typeof field.shape === 'object' ? field.shape.via : '';
  const of = useSyncExternalStore(
    host?.subscribe ?? never,
    () => (host?.values()[via] as number | null | undefined) ?? null,
  );
  const [first] = useState(of);
  const { data: shape, error } = useSWR(
    of === null || !host ? null : `/tapi/${host.screen.name}/shape/${field.name}/${of}`,
    async (path) => (await api.get<{ data: JsonSchema }>(path, undefined, { quiet: true })).data,
    { revalidateOnFocus: false },
  );
  const fixed = props.readOnly === true || props.disabled === true;

  // Values of the previously chosen kind are invalid here.
  useEffect(() => {
    if (!shape || of === first || fixed) return;
    const known = new Set(Object.keys(shape.properties ?? {}));
    const kept = Object.entries(asMember(value)).filter(([name]) => known.has(name));
    if (value === null || value === undefined || kept.length < Object.keys(asMember(value)).length)
      onChange(Object.fromEntries(kept));
  }, [shape, of, first, fixed, value, onChange]);

  const title = host?.screen.fields.find(({ name }) => name === via)?.title ?? '';
  if (of === null) return <p className={styles.muted}>Choose {title} first: it says what is entered here.</p>;
  if (error) return <p className={styles.muted}>What {title} asks for could not be loaded. Open the form again.</p>;
  if (!shape) return <div className={styles.waiting} aria-hidden />;
  const fields = fieldsOfShape(shape);
  if (fields.length === 0) return <p className={styles.muted}>{title} asks for nothing more.</p>;
  return (
    <div role="group" aria-labelledby={`${id}-label`}>
      <ShapedFields
        key={of}
        fields={fields}
        id={id}
        path={field.name}
        value={asMember(value)}
        messages={messages}
        readOnly={fixed}
        onChange={onChange}
        {...(props.onProblem && { onProblem: props.onProblem })}
      />
    </div>
  );
}

const never = () => () => undefined;
