import { OpenRegular } from '@fluentui/react-icons';
import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** A web address; "acme.in" becomes https://acme.in. */
export function UrlWidget(props: WidgetProps) {
  const address = typeof props.value === 'string' && /^https?:\/\//i.test(props.value) ? props.value : null;
  return (
    <TextControl
      props={props}
      inputMode="url"
      placeholder="https://"
      parse={(text) => {
        const typed = text.trim();
        if (typed === '') return { value: null };
        return { value: /^[a-z][a-z\d+.-]*:/i.test(typed) ? typed : `https://${typed}` };
      }}
      {...(address && {
        after: (
          <a
            className={styles.iconButton}
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Open ${address}`}
          >
            <OpenRegular />
          </a>
        ),
      })}
    />
  );
}
