import { ChevronDownRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useRef, useState } from 'react';
import { groupedDigits } from '../../../../descriptor/fieldtypes/phone.ts';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import { Anchored } from '../anchored.tsx';
import { TextControl } from '../text_control.tsx';
import type { WidgetProps } from '../widget.ts';
import { splitPhone } from './dial_codes.ts';
import styles from './phone.module.css';

const DialCodeList = lazy(() => import('./DialCodeList.tsx'));
const home = '+91';

/** A telephone number with a dial code; a number typed or pasted with "+" includes its own. */
export function PhoneWidget(props: WidgetProps) {
  const { field, value, onChange } = props;
  const stored = typeof value === 'string' ? splitPhone(value) : { dial: '', rest: '' };
  const [chosen, setChosen] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const dial = stored.dial || chosen || home;
  const fixed = props.readOnly === true || props.disabled === true;
  if (props.bare) return <TextControl props={props} inputMode="tel" />;

  const read = (text: string) => {
    const digits = text.replace(/[^\d+]/g, '');
    if (digits === '') return { value: null };
    if (digits.startsWith('+') || digits.startsWith('00') || dial === home)
      return fieldType('phone').parse(
        digits.startsWith('+') || digits.startsWith('00') || /^0?91/.test(digits) || digits.length >= 10
          ? digits
          : `${home}${digits}`,
        field,
      );
    return { value: `${dial}${digits.replace(/^0+/, '')}` };
  };
  return (
    <div ref={anchor}>
      <TextControl
        props={props}
        inputMode="tel"
        placeholder={dial === home ? '98400 12345' : ''}
        inputRef={input}
        as={(text) => text.replace(/[^\d+\s()-]/g, '')}
        format={(one) => (typeof one === 'string' ? groupedDigits(splitPhone(one).dial, splitPhone(one).rest) : '')}
        parse={read}
        before={
          <button
            type="button"
            className={styles.dial}
            disabled={fixed}
            aria-label={`Dial code ${dial}: ${field.title}`}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {dial}
            {!fixed && <ChevronDownRegular />}
          </button>
        }
      />
      {open && (
        <Anchored anchor={anchor} onClose={() => setOpen(false)}>
          <Suspense fallback={null}>
            <DialCodeList
              value={dial}
              onPick={(picked) => {
                setOpen(false);
                setChosen(picked);
                if (stored.rest !== '') onChange(`${picked}${stored.rest}`);
                input.current?.focus();
              }}
            />
          </Suspense>
        </Anchored>
      )}
    </div>
  );
}
