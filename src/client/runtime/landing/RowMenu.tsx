import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import { CopyRegular, DeleteRegular, EditRegular, EyeOffRegular, EyeRegular, OpenRegular, WindowNewRegular } from '@fluentui/react-icons';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { RecordActions } from './use_record_actions.tsx';

export interface RowMenuProps {
  record: WireRecord;
  target: HTMLElement;
  actions: RecordActions;
  onClose: () => void;
}

/** The "…" of a row or card. */
export default function RowMenu({ record, target, actions, onClose }: RowMenuProps) {
  const { edit, copy, setActive, remove } = actions;
  const close = () => {
    onClose();
    target.focus();
  };
  return (
    <Menu open positioning={{ target, position: 'below', align: 'end' }} onOpenChange={(_, { open }) => !open && close()}>
      <MenuPopover>
        <MenuList>
          {actions.address(record) !== null && (
            <>
              <MenuItem icon={<OpenRegular />} onClick={() => actions.open(record)}>
                Open
              </MenuItem>
              <MenuItem icon={<WindowNewRegular />} onClick={() => actions.open(record, true)}>
                Open in a new tab
              </MenuItem>
            </>
          )}
          {edit && (
            <MenuItem icon={<EditRegular />} onClick={() => edit(record)}>
              Edit
            </MenuItem>
          )}
          {copy && (
            <MenuItem icon={<CopyRegular />} onClick={() => copy(record)}>
              Copy
            </MenuItem>
          )}
          {(setActive ?? remove) && <MenuDivider />}
          {setActive && (
            <MenuItem
              icon={record.active ? <EyeOffRegular /> : <EyeRegular />}
              onClick={() => void setActive(record, !record.active).catch(() => undefined)}
            >
              {record.active ? 'Deactivate' : 'Activate'}
            </MenuItem>
          )}
          {remove && (
            <MenuItem icon={<DeleteRegular />} onClick={() => void remove(record)}>
              Delete
            </MenuItem>
          )}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
