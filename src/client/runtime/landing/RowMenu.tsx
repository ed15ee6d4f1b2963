import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import {
  CopyRegular,
  DeleteRegular,
  EditRegular,
  EyeOffRegular,
  EyeRegular,
  OpenRegular,
  WindowNewRegular,
} from '@fluentui/react-icons';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { mayLeave } from '../../../descriptor/may_leave.ts';
import { api } from '../../api/http.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import { actionAddress } from '../action_address.ts';
import { actionsFor, callAction } from '../record_action.ts';
import type { RecordActions } from './use_record_actions.tsx';

export interface RowMenuProps {
  screen: Screen;
  access: ScreenRef;
  record: WireRecord;
  target: HTMLElement;
  actions: RecordActions;
  onChanged: () => void;
  onClose: () => void;
}

/** The "…" of a row or card. */
export default function RowMenu({ screen, access, record, target, actions, onChanged, onClose }: RowMenuProps) {
  const navigate = useNavigate();
  const conditional = screen.actions.some(
    ({ when, who, of }) => when !== undefined || who !== undefined || of !== undefined,
  );
  // A list row contains only its columns; a condition may need another field.
  const [whole, setWhole] = useState<WireRecord | null>(conditional ? null : record);
  useEffect(() => {
    if (!conditional) return;
    let gone = false;
    api
      .get<{ data: WireRecord }>(`/tapi/${screen.name}/${record.id}`, undefined, { quiet: true })
      .then(({ data }) => !gone && setWhole(data))
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [conditional, screen.name, record.id]);
  // The page of the record is printed.
  const own = whole ? actionsFor(screen, access, whole).filter(({ browser }) => browser !== 'print') : [];
  const { edit, copy } = actions;
  const setActive = !record.active || mayLeave(screen, record, 'deactivate') ? actions.setActive : null;
  const remove = mayLeave(screen, record, 'delete') ? actions.remove : null;
  const close = () => {
    onClose();
    target.focus();
  };
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'end' }}
      onOpenChange={(_, { open }) => !open && close()}
    >
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
          {own.length > 0 && <MenuDivider />}
          {own.map((action) => (
            <MenuItem
              key={action.title}
              icon={<MenuIcon name={action.icon} fallback="Play" />}
              onClick={() => {
                const to = actionAddress(action, record);
                if (to !== null) void navigate(to);
                else void callAction(screen, action, whole ?? record).then((done) => done && onChanged());
              }}
            >
              {action.title}
            </MenuItem>
          ))}
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
