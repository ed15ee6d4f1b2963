import { useEffect, useRef } from 'react';

/** Ctrl+S saves, Esc leaves (after asking). Layers above the form have taken their own Esc already. */
export function useFormKeys({ save, leave, container }: { save: () => void; leave: () => void; container?: React.RefObject<HTMLElement | null> }): void {
  const now = useRef({ save, leave });
  now.current = { save, leave };
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const inLayer = target?.closest('[role="dialog"], [role="alertdialog"]') ?? null;
      // A form in a dialog hears only its own keys, the form under it none of them.
      if (container ? !container.current?.contains(target) : inLayer !== null || document.querySelector('[aria-modal="true"]') !== null) return;
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 's') {
        event.preventDefault();
        now.current.save();
      } else if (event.key === 'Escape' && !event.defaultPrevented && !event.repeat) {
        event.preventDefault();
        now.current.leave();
      }
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, [container]);
}
