import { useEffect, useRef } from 'react';
import { asReference } from '../../../../descriptor/reference_by.ts';
import { TextControl } from '../text_control.tsx';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { RefPicker } from './RefPicker.tsx';
import { hostFields } from './apply_choice.ts';
import { useHostValue } from './use_host_value.ts';

/** Chooses a record of the type selected in another field; when the type changes, the choice is cleared. */
export function RecordPicker(props: WidgetProps) {
  const { field, onChange } = props;
  const host = useFieldHost();
  const kindName = field.refBy?.field ?? '';
  const kind = useHostValue(host, kindName);
  const before = useRef(kind);
  const fixed = props.readOnly === true || props.disabled === true;
  useEffect(() => {
    if (before.current === kind) return;
    before.current = kind;
    if (fixed || !host || (host.values()[field.name] ?? null) === null) return;
    host.setValues({ [field.name]: null, [`${field.name}__label`]: null });
    onChange(null);
  }, [kind, fixed, host, field, onChange]);
  const own = asReference(field, { [kindName]: kind });
  if (own) return <RefPicker key={own.ref!.type} {...props} field={own} />;
  const title = host ? hostFields(host).find(({ name }) => name === kindName)?.title : undefined;
  return (
    <TextControl
      props={{ ...props, readOnly: true }}
      format={() => ''}
      placeholder={props.bare || fixed ? '' : `Choose ${title ?? 'its type'} first`}
    />
  );
}
