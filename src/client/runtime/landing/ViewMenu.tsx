import { Menu, MenuDivider, MenuItem, MenuList, MenuPopover } from '@fluentui/react-components';
import { DeleteRegular, PeopleRegular, RenameRegular, StarRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { confirmDialog } from '../../app/feedback.ts';
import type { SavedView, Views } from './saved_views.ts';
import ViewDialog from './ViewDialog.tsx';

/** The actions on one's own saved view. */
export default function ViewMenu({
  views,
  view,
  target,
  onClose,
  onRemoved,
}: {
  views: Views;
  view: SavedView;
  target: HTMLElement;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const [renaming, setRenaming] = useState(false);
  // The call itself shows a refusal.
  const shownByCall = () => undefined;
  if (renaming) {
    return (
      <ViewDialog
        title="Rename view"
        name={view.name}
        shared={view.shared}
        onClose={onClose}
        onSave={async (name, shared) => {
          await views.update(view, { name, shared });
          onClose();
        }}
      />
    );
  }
  const isDefault = view.state.isDefault === true;
  return (
    <Menu
      open
      positioning={{ target, position: 'below', align: 'start' }}
      onOpenChange={(_, { open }) => !open && !renaming && onClose()}
    >
      <MenuPopover>
        <MenuList>
          <MenuItem icon={<RenameRegular />} persistOnClick onClick={() => setRenaming(true)}>
            Rename
          </MenuItem>
          <MenuItem
            icon={<PeopleRegular />}
            onClick={() => void views.update(view, { shared: !view.shared }).catch(shownByCall)}
          >
            {view.shared ? 'Keep to myself' : 'Share with everyone'}
          </MenuItem>
          <MenuItem
            icon={<StarRegular />}
            onClick={() =>
              void views.update(view, { state: { ...view.state, isDefault: !isDefault } }).catch(shownByCall)
            }
          >
            {isDefault ? 'No longer open first' : 'Open this view first'}
          </MenuItem>
          <MenuDivider />
          <MenuItem
            icon={<DeleteRegular />}
            onClick={() =>
              void confirmDialog({
                title: `Delete the view ${view.name}?`,
                text: 'The records stay.',
                danger: true,
              }).then(async (sure) => {
                if (!sure) return;
                await views.remove(view).then(onRemoved, shownByCall);
              })
            }
          >
            Delete
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
