import { useEffect, useRef } from 'react';

/** Ctrl+S saves, Esc leaves (after asking). Layers above the form have taken their own Esc already. */
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
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      // First the key: this runs for every one that is typed.
      const saving =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 's';
      // A dialog prevents what the browser does on Esc; layers above a form in it let none through at all.
      if (!saving && (event.key !== 'Escape' || (event.defaultPrevented && container === undefined) || event.repeat))
        return;
      const target = event.target instanceof Element ? event.target : null;
      // A form in a dialog hears only its own keys, the form under it none of them.
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
