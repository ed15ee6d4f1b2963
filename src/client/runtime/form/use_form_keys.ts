import { useLayoutEffect, useRef } from 'react';

/** Ctrl+S saves, Esc leaves (after confirmation). Layers above the form have already handled their own Esc. */
export function useFormKeys({
  save,
  leave,
  container,
}: {
  save: () => void;
  leave: () => void;
  container?: React.RefObject<HTMLElement | null>;
}): void {
  const now = useRef({ save, leave });
  now.current = { save, leave };
  // As soon as the page shows: who sees it may press a key.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      // The key is checked first, because this runs for every key.
      const saving =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 's';
      // A dialog prevents the browser's default on Esc; layers in a form stop the event completely.
      if (!saving && (event.key !== 'Escape' || (event.defaultPrevented && container === undefined) || event.repeat))
        return;
      const target = event.target instanceof Element ? event.target : null;
      // A form in a dialog receives only its own keys, and the form below it none of them.
      if (
        container
          ? !container.current?.contains(target)
          : document.querySelector('[aria-modal="true"], [role="alertdialog"]') !== null
      )
        return;
      event.preventDefault();
      if (saving) now.current.save();
      else now.current.leave();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [container]);
}
