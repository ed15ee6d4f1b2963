import { Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components';
import { ArrowSwapRegular } from '@fluentui/react-icons';

/** The distance of a move, in days and minutes, and its label. */
export type Shift = readonly [days: number, minutes: number, label: string];

export const DAY_SHIFTS: readonly Shift[] = [
  [-1, 0, 'A day earlier'],
  [1, 0, 'A day later'],
  [-7, 0, 'A week earlier'],
  [7, 0, 'A week later'],
];

/** The button of a record that moves it without dragging. */
export function ShiftMenu({
  title,
  open,
  onOpen,
  shifts,
  className,
  onShift,
}: {
  title: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  shifts: readonly Shift[];
  className?: string | undefined;
  onShift: (days: number, minutes: number) => void;
}) {
  return (
    <Menu open={open} onOpenChange={(_, { open: now }) => onOpen(now)} positioning={{ align: 'end' }}>
      <MenuTrigger disableButtonEnhancement>
        <button type="button" className={className} tabIndex={-1} aria-label={`Move ${title}`} title="Move (M)">
          <ArrowSwapRegular />
        </button>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {shifts.map(([days, minutes, label]) => (
            <MenuItem key={label} onClick={() => onShift(days, minutes)}>
              {label}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
