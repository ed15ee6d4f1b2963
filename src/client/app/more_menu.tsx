import { Button, Menu, MenuDivider, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons';
import { useNavigate } from 'react-router-dom';
import type { PageAction } from './page_action.ts';

/** The rest of a page's actions. */
export default function MoreMenu({ actions }: { actions: PageAction[] }) {
  const navigate = useNavigate();
  const usual = actions.filter((action) => !action.danger);
  const losing = actions.filter((action) => action.danger);
  const item = (action: PageAction) => (
    <MenuItem
      key={action.label}
      {...(action.icon && { icon: action.icon })}
      disabled={action.disabled === true || action.busy === true}
      {...(action.reason && action.disabled && { title: action.reason })}
      {...(action.shortcut && { secondaryContent: action.shortcut })}
      onClick={() => {
        if (action.to !== undefined) void navigate(action.to);
        else action.onClick?.();
      }}
    >
      {action.label}
    </MenuItem>
  );
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Button appearance="subtle" icon={<MoreHorizontalRegular />} aria-label="More actions" />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {usual.map(item)}
          {usual.length > 0 && losing.length > 0 && <MenuDivider />}
          {losing.map(item)}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
