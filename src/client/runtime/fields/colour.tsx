import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** #rrggbb, with the system's colour chooser. */
export function ColourWidget(props: WidgetProps) {
  const { value, onChange, field } = props;
  const fixed = props.readOnly === true || props.disabled === true;
  const stored = typeof value === 'string' && /^#[\da-f]{6}$/i.test(value) ? value : null;
  return (
    <TextControl
      props={props}
      placeholder="#rrggbb"
      parse={(text) => {
        const typed = text.trim().toLowerCase().replace(/^#?/, '#');
        if (typed === '#') return { value: null };
        const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(typed);
        const full = short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}` : typed;
        return /^#[\da-f]{6}$/.test(full) ? { value: full } : { error: 'Enter a colour as #rrggbb, such as #0f6cbd.' };
      }}
      before={
        <input
          type="color"
          className={styles.swatch}
          aria-label={`Choose a colour: ${field.title}`}
          value={stored ?? '#000000'}
          data-empty={stored === null ? '' : undefined}
          disabled={fixed}
          onChange={(event) => onChange(event.target.value)}
        />
      }
    />
  );
}
