import { Button } from '@fluentui/react-components';
import { LockClosedRegular } from '@fluentui/react-icons';
import type { ComponentType } from 'react';
import { useState } from 'react';
import { useHostValue } from './reference/use_host_value.ts';
import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';
import { useFieldHost } from './widget.ts';

const texts = new Set(['text', 'name', 'code', 'long_text']);

/** A write-only value: the stored value is never sent. undefined = unchanged, null = to be removed. */
export function SecretWidget({ Plain, ...props }: WidgetProps & { Plain: ComponentType<WidgetProps> }) {
  const { field, value, onChange, required } = props;
  const host = useFieldHost();
  const stored = useHostValue(host, `${field.name}__set`) === true;
  const [replacing, setReplacing] = useState(false);
  const fixed = props.readOnly === true || props.disabled === true;

  if (stored && !replacing && (value === undefined || value === null)) {
    return (
      <div className={styles.line}>
        <span className={styles.muted}>
          <LockClosedRegular aria-hidden /> {value === null ? 'Will be removed on saving' : 'Stored'}
        </span>
        {!fixed && (
          // The label alone would name the field, not the button's purpose.
          <Button id={props.id} size="small" aria-label={`Replace ${field.title}`} onClick={() => setReplacing(true)}>
            Replace
          </Button>
        )}
        {!fixed && !required && (
          <Button
            size="small"
            appearance="subtle"
            aria-describedby={`${props.id}-label`}
            onClick={() => onChange(value === null ? undefined : null)}
          >
            {value === null ? 'Keep' : 'Remove'}
          </Button>
        )}
      </div>
    );
  }
  const plain = { ...props, value: value ?? null, autoFocus: replacing };
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        {texts.has(field.type) ? (
          <TextControl props={plain} type="password" autoComplete="new-password" />
        ) : (
          <Plain {...plain} />
        )}
      </div>
      {replacing && (
        <Button
          size="small"
          appearance="subtle"
          onClick={() => {
            setReplacing(false);
            onChange(undefined);
          }}
        >
          Keep the stored one
        </Button>
      )}
    </div>
  );
}
