import {
  Avatar,
  Menu,
  MenuDivider,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '@fluentui/react-components';
import {
  BuildingMultipleRegular,
  CalendarLtrRegular,
  PersonRegular,
  QuestionCircleRegular,
  ShieldKeyholeRegular,
  SignOutRegular,
} from '@fluentui/react-icons';
import { useNavigate } from 'react-router-dom';
import { api } from '../../api/http.ts';
import { forgetScreens, menu } from '../../api/screens.ts';
import type { Density, ThemeChoice } from '../preferences.ts';
import { density, themeChoice } from '../preferences.ts';
import { useFileAddress } from '../../runtime/fields/files/file_calls.ts';
import { matchScreen } from '../screen_routes.ts';
import { forgetSession, hasProduct, usePhone, useSession } from '../session.ts';
import { shortName } from '../short_name.ts';
import { confirmLeaving } from '../unsaved_guard.ts';
import { openHelp, openPanel } from './panels.ts';
import styles from './layout.module.css';

/** The signed-in person, the display preferences of this device, and signing out. */
export default function ProfileMenu() {
  const session = useSession();
  const theme = themeChoice.use();
  const rows = density.use();
  const { screens, pages } = menu.use();
  const navigate = useNavigate();
  const phone = usePhone();
  const address = useFileAddress(session.profileImage ? null : session.photoId);
  const picture = session.profileImage ?? address;
  const isServed = (path: string) => pages.includes(path) || matchScreen(screens, path) !== null;
  // Board members' profile is their scorecard, in a new tab.
  const profile =
    (session.chairman || session.ceo) && isServed('/scorecard_board') ? '/scorecard_board' : '/My_profile';
  const hasProfile = isServed(profile);

  const signOut = async () => {
    if (!(await confirmLeaving())) return;
    // If the browser has no storage, nothing can wait.
    const mayLeave = await import('../../runtime/offline/leave_device.ts')
      .then(({ leaveDevice }) => leaveDevice())
      .catch(() => true);
    if (!mayLeave) return;
    const device = localStorage.getItem('device_token');
    const quiet = { quiet: true };
    // The server ends the session; without an answer it expires.
    await Promise.race([
      Promise.allSettled([
        ...(device
          ? [
              api.put(
                `/update_users_device_logout/${session.userId}?device_token=${encodeURIComponent(device)}`,
                {},
                quiet,
              ),
            ]
          : []),
        ...(hasProduct(session.products, 'ANALYTICS')
          ? [
              api.post(
                '/api/analytics_token_update',
                { token: null, email: session.email, product_code: 'MS_ANALYTICS', sub_domain: session.domain },
                quiet,
              ),
            ]
          : []),
      ])
        .then(() => api.post('/api/sessions/logout', {}, quiet))
        .catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, 3000)),
    ]);
    forgetSession();
    forgetScreens();
    location.assign('/login');
  };

  // The button's accessible name includes its visible initials, for voice control.
  const names = session.name.split(/\s+/).filter((part) => part !== '');
  const initials = [...new Set([names[0], names.at(-1)])].map((part) => part?.charAt(0).toUpperCase() ?? '').join('');
  return (
    <Menu
      hasCheckmarks
      checkedValues={{ theme: [theme], density: [rows] }}
      onCheckedValueChange={(_, { name, checkedItems }) => {
        if (name === 'theme') themeChoice.set(checkedItems[0] as ThemeChoice);
        if (name === 'density') density.set(checkedItems[0] as Density);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <button
          type="button"
          className={styles.profile}
          aria-label={picture ? `${session.name}: account` : `${initials} ${session.name}: account`}
        >
          <Avatar
            size={28}
            name={session.name}
            color="colorful"
            initials={initials}
            {...(picture && { image: { src: picture } })}
          />
        </button>
      </MenuTrigger>
      <MenuPopover>
        <div className={styles.who}>
          <strong title={session.name}>{shortName(session.name)}</strong>
          {session.designation && <span title={session.designation}>{shortName(session.designation)}</span>}
          <span>{session.email}</span>
        </div>
        <MenuDivider />
        <MenuList>
          {hasProfile && (
            <MenuItem
              icon={<PersonRegular />}
              onClick={() => {
                if (profile === '/My_profile') void navigate(profile);
                else open(profile, '_blank', 'noopener');
              }}
            >
              My Profile
            </MenuItem>
          )}
          {session.entityId !== null && (
            <MenuItem icon={<CalendarLtrRegular />} onClick={() => void navigate('/Calendar')}>
              Calendar
            </MenuItem>
          )}
          <MenuItem icon={<ShieldKeyholeRegular />} onClick={() => void navigate('/core_account')}>
            Account and security
          </MenuItem>
          {phone && !session.isPlatform && (
            <MenuItem icon={<QuestionCircleRegular />} onClick={openHelp}>
              Help on this page
            </MenuItem>
          )}
          {session.entities.length > 1 && (
            <MenuItem icon={<BuildingMultipleRegular />} onClick={() => openPanel('company')}>
              Entity switch
            </MenuItem>
          )}
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>Theme</MenuGroupHeader>
            <MenuItemRadio name="theme" value="light">
              Light
            </MenuItemRadio>
            <MenuItemRadio name="theme" value="dark">
              Dark
            </MenuItemRadio>
            <MenuItemRadio name="theme" value="system">
              As the system
            </MenuItemRadio>
          </MenuGroup>
          <MenuDivider />
          <MenuGroup>
            <MenuGroupHeader>Rows in lists</MenuGroupHeader>
            <MenuItemRadio name="density" value="comfortable">
              Comfortable
            </MenuItemRadio>
            <MenuItemRadio name="density" value="compact">
              Compact
            </MenuItemRadio>
          </MenuGroup>
          <MenuDivider />
          <MenuItem icon={<SignOutRegular />} onClick={() => void signOut()}>
            Logout
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
