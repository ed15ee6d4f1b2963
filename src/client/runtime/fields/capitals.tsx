import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

const lengths: Record<string, number> = { gstin: 15, pan: 10, ifsc: 11, pincode: 6 };
const samples: Record<string, string> = {
  gstin: '33AAACA1234B1Z5',
  pan: 'ABCDE1234F',
  ifsc: 'SBIN0001234',
  pincode: '600001',
};

/** GSTIN, PAN, IFSC and pin code: converted to capitals while typing, with the number of missing characters. */
export function FixedLengthWidget(props: WidgetProps) {
  const { type } = props.field;
  const length = lengths[type] ?? 0;
  const digits = type === 'pincode';
  return (
    <TextControl
      props={props}
      inputMode={digits ? 'numeric' : 'text'}
      placeholder={samples[type] ?? ''}
      as={(text) => (digits ? text.replace(/\D/g, '') : text.replace(/[^a-z\d]/gi, '').toUpperCase()).slice(0, length)}
      parse={(text) => ({ value: text === '' ? null : text })}
      after={(text) =>
        text.length > 0 && text.length < length ? (
          <span className={styles.count} aria-hidden>
            {text.length}/{length}
          </span>
        ) : null
      }
    />
  );
}
