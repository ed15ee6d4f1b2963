import { Popover, PopoverSurface } from '@fluentui/react-components';
import { useEffect, useRef, useState } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { FieldList, FilterEditor } from './FilterEditor.tsx';
import styles from './landing.module.css';
import type { Condition } from './list_address.ts';

export interface FilterPopoverProps {
  screen: Screen;
  target: HTMLElement;
  /** null = the person chooses the field first. */
  field: Field | null;
  condition: Condition | null;
  onApply: (condition: Condition | null) => void;
  onClose: () => void;
}

/** The editor of one condition, below its chip. */
export default function FilterPopover({ screen, target, condition, onApply, onClose, ...rest }: FilterPopoverProps) {
  const [field, setField] = useState(rest.field);
  const surface = useRef<HTMLDivElement>(null);
  // The focus goes to the value, not to the operator above it.
  useEffect(() => {
    const box = surface.current;
    (box?.querySelector<HTMLElement>('input') ?? box?.querySelector<HTMLElement>('select, button'))?.focus();
  }, [field]);
  const close = () => {
    onClose();
    target.focus();
  };
  return (
    <Popover
      open
      trapFocus
      unstable_disableAutoFocus
      positioning={{ target, position: 'below', align: 'start', offset: 4 }}
      onOpenChange={(_, { open }) => !open && close()}
    >
      <PopoverSurface
        ref={surface}
        className={styles.popover}
        aria-label={field ? `Filter by ${field.title}` : 'Filter by'}
      >
        {field ? (
          <FilterEditor screen={screen} field={field} condition={condition} onApply={onApply} />
        ) : (
          <FieldList screen={screen} onChoose={setField} />
        )}
      </PopoverSurface>
    </Popover>
  );
}
