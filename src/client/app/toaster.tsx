import {
  CheckmarkCircleFilled,
  DismissRegular,
  ErrorCircleFilled,
  InfoFilled,
  WarningFilled,
} from '@fluentui/react-icons';
import { useState } from 'react';
import type { ToastItem } from './feedback.ts';
import { closeToast, holdToast, resumeToast, toasts } from './feedback.ts';
import styles from './toaster.module.css';

const icons = {
  success: <CheckmarkCircleFilled />,
  error: <ErrorCircleFilled />,
  warning: <WarningFilled />,
  info: <InfoFilled />,
};

/** The toasts, top right; announced as they appear. */
export function Toaster() {
  const items = toasts.use();
  return (
    <section className={styles.toaster} aria-label="Messages" aria-live="polite" aria-relevant="additions text">
      {items.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  );
}

function ToastCard({ item }: { item: ToastItem }) {
  const [open, setOpen] = useState(false);
  // An error with details that the person focuses stays until it is closed.
  const resume = () => {
    if (!open && !(item.type === 'error' && item.details)) resumeToast(item.id);
  };
  return (
    <div
      className={styles.toast}
      data-type={item.type}
      role={item.type === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => holdToast(item.id)}
      onPointerLeave={resume}
      onFocus={() => holdToast(item.id)}
      onBlur={resume}
    >
      <span className={styles.icon} aria-hidden>
        {icons[item.type]}
      </span>
      <div className={styles.text}>
        <span>{item.text}</span>
        {item.count > 1 && (
          <span className={styles.count} aria-label={`${item.count} times`}>
            ×{item.count}
          </span>
        )}
        {open && item.details && <pre className={styles.details}>{item.details}</pre>}
        {(item.action ?? item.details) && (
          <div className={styles.actions}>
            {item.action && (
              <button
                type="button"
                onClick={() => {
                  item.action?.onClick();
                  closeToast(item.id);
                }}
              >
                {item.action.label}
              </button>
            )}
            {item.details && (
              <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? 'Hide details' : 'Details'}
              </button>
            )}
          </div>
        )}
      </div>
      <button type="button" className={styles.close} aria-label="Close" onClick={() => closeToast(item.id)}>
        <DismissRegular />
      </button>
    </div>
  );
}
