import { localTime } from '../../runtime/fields/calendar/moments.ts';
import { Badge, Button, Input, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components';
import { MoreHorizontalRegular, SearchRegular } from '@fluentui/react-icons';
import { useMemo, useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { momentWords } from '../../app/layout/notification_list.tsx';
import { useSession } from '../../app/session.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { TableHead } from '../../app/table_head.tsx';
import type { Once } from '../../runtime/shown_once.ts';
import { showOnce } from '../../runtime/shown_once.ts';
import styles from './rights.module.css';

interface Account {
  id: number;
  username: string;
  name: string;
  email: string;
  status: string;
  last_login_at: string | null;
  password_changed_at: string | null;
  must_change: boolean;
  /** Whether signing in requires a second factor. */
  mfa: boolean;
  sessions: number;
  failures: number;
  locked_until: string | null;
}

const CALLS = {
  reset_link: {
    label: 'Send reset link',
    text: 'Sends this user a mail with a link to choose a new password.',
    done: 'The link has been sent.',
  },
  temporary_password: {
    label: 'Set a temporary password',
    text: 'Creates a random password and shows it to you once. It is valid for 24 hours. This user is signed out everywhere and must choose another password at the first sign-in.',
    done: 'The temporary password can be used.',
  },
  force_change: {
    label: 'Require a new password',
    text: 'This user is signed out and must choose a new password at the next sign-in.',
    done: 'The user must choose a new password.',
  },
  unlock: { label: 'Unlock', text: 'The count of failed attempts has been reset.', done: 'The account is unlocked.' },
  remove_factor: {
    label: 'Remove 2-step verification',
    text: 'For a lost phone: this user signs in with the password alone until it is set up again, and is signed out everywhere now.',
    done: 'Sign-in now needs the password only.',
  },
  sign_out: {
    label: 'Sign out everywhere',
    text: 'This user must sign in again on every device.',
    done: 'Signed out everywhere.',
  },
} as const;

/** The sign-in security of all users: password, lock, devices. */
export default function PasswordPortalPage() {
  const { data, error, mutate } = useSWR('/tapi/password_portal', (path) =>
    api.get<{ data: Account[]; temporary_passwords: boolean }>(path, undefined, { quiet: true }),
  );
  const [text, setText] = useState('');
  const { userId } = useSession();
  const shown = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return (data?.data ?? []).filter(
      (row) => wanted === '' || `${row.name} ${row.username} ${row.email}`.toLowerCase().includes(wanted),
    );
  }, [data, text]);
  const call = async (account: Account, name: keyof typeof CALLS) => {
    const { label, text: words, done } = CALLS[name];
    if (!(await confirmDialog({ title: `${label}: ${account.name}?`, text: words, confirmLabel: label }))) return;
    try {
      const { once } = await api.post<{ once?: Once }>(`/tapi/users/${account.id}/${name}`, {});
      toast.success(done);
      if (once) await showOnce(account.name, once);
      await mutate();
    } catch {
      // The call has shown the error.
    }
  };
  return (
    <Page title="Password portal">
      <PageBody>
        {error ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : !data ? (
          <Skeleton rows={10} />
        ) : (
          <>
            <div className={styles.filters}>
              <Input
                contentBefore={<SearchRegular />}
                placeholder="Name, user name or e-mail"
                aria-label="Search users"
                value={text}
                onChange={(_, { value }) => setText(value)}
              />
              <span className={styles.count}>
                {shown.length} of {data.data.length}
              </span>
            </div>
            {shown.length === 0 ? (
              <EmptyState
                title="Nobody matches"
                text="Clear the search to see everybody."
                actions={[{ label: 'Clear', onClick: () => setText('') }]}
              />
            ) : (
              <div className={styles.frame}>
                <table className={styles.matrix}>
                  <TableHead
                    columns={[
                      'User',
                      'State',
                      { wide: 'Password changed' },
                      'Last sign-in',
                      { wide: 'Signed in' },
                      { wide: 'Failed attempts' },
                      { unseen: 'Actions' },
                    ]}
                  />
                  <tbody>
                    {shown.map((row) => (
                      <tr key={row.id} data-row>
                        <th scope="row">
                          <span className={styles.name}>
                            {row.name}
                            <span className={styles.code}>
                              {row.username} · {row.email}
                            </span>
                          </span>
                        </th>
                        <td>
                          {row.locked_until ? (
                            <Badge appearance="tint" color="danger">
                              Locked until {localTime(row.locked_until)}
                            </Badge>
                          ) : row.must_change ? (
                            <Badge appearance="tint" color="warning">
                              Must change
                            </Badge>
                          ) : (
                            <Badge appearance="tint" color={row.status === 'active' ? 'success' : 'informative'}>
                              {row.status.charAt(0).toUpperCase() + row.status.slice(1)}
                            </Badge>
                          )}
                        </td>
                        <td data-wide>{row.password_changed_at ? momentWords(row.password_changed_at) : '–'}</td>
                        <td>{row.last_login_at ? momentWords(row.last_login_at) : 'never'}</td>
                        <td data-wide>
                          {row.sessions === 0 ? '–' : `${row.sessions} ${row.sessions === 1 ? 'device' : 'devices'}`}
                        </td>
                        <td data-wide>{row.failures || '–'}</td>
                        <td aria-label={`Actions for ${row.name}`}>
                          <Menu>
                            <MenuTrigger disableButtonEnhancement>
                              <Button
                                appearance="subtle"
                                icon={<MoreHorizontalRegular />}
                                aria-label={`Actions for ${row.name}`}
                              />
                            </MenuTrigger>
                            <MenuPopover>
                              <MenuList>
                                {(Object.keys(CALLS) as (keyof typeof CALLS)[])
                                  .filter((name) =>
                                    name === 'remove_factor'
                                      ? row.mfa
                                      : name === 'temporary_password'
                                        ? data.temporary_passwords && row.id !== userId
                                        : true,
                                  )
                                  .map((name) => (
                                    <MenuItem
                                      key={name}
                                      disabled={
                                        row.status !== 'active' &&
                                        name !== 'unlock' &&
                                        !(name === 'temporary_password' && row.status === 'invited')
                                      }
                                      onClick={() => void call(row, name)}
                                    >
                                      {CALLS[name].label}
                                    </MenuItem>
                                  ))}
                              </MenuList>
                            </MenuPopover>
                          </Menu>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </>
        )}
      </PageBody>
    </Page>
  );
}
