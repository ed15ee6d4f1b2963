import { actTaskEvents } from './act_task_events.ts';
import { liftCallEvents } from './lift_call_events.ts';
import { liftMoneyEvents } from './lift_money_events.ts';
import { reviewEvents } from './review_events.ts';
import { storesEvents } from './stores_events.ts';

/** A notification event, with its texts. `{placeholders}` are filled with the values of the notice. */
export interface NotificationEvent {
  code: string;
  /** Its title in the preferences. */
  name: string;
  module: string;
  severity: 'info' | 'success' | 'warning' | 'error';
  channels: { inApp: boolean; mail: boolean; push: boolean };
  /** Security events are always sent. */
  canMute: boolean;
  /** Entries with the same group key within this many minutes are merged. 0 = never. */
  groupMinutes: number;
  /** One line: the entry in the application, and the mail's subject. */
  title: string;
  /** With merged entries: `{count}` is their number. */
  mergedTitle?: string;
  /** Plain text; blank lines separate paragraphs. */
  body: string;
  /** The purpose, which selects the mail account. */
  purpose: 'notification' | 'security';
}

type Short = Pick<NotificationEvent, 'code' | 'name' | 'title' | 'body'> & Partial<NotificationEvent>;

const IN_APP = { inApp: true, mail: false, push: false };
const MAIL = { inApp: false, mail: true, push: false };
const BOTH = { inApp: true, mail: true, push: false };
const ALL = { inApp: true, mail: true, push: true };

function event(given: Short): NotificationEvent {
  return {
    module: 'platform',
    severity: 'info',
    channels: IN_APP,
    canMute: true,
    groupMinutes: 0,
    purpose: 'notification',
    ...given,
  };
}

function security(given: Short): NotificationEvent {
  return event({ canMute: false, purpose: 'security', channels: BOTH, severity: 'warning', ...given });
}

/** Every event there is. A module adds its own here, so that preferences and templates list them all. */
export const NOTIFICATION_EVENTS: readonly NotificationEvent[] = [
  security({
    code: 'password.reset_requested',
    name: 'Password reset requested',
    channels: MAIL,
    title: 'Choose a new password',
    body: 'Hello {name},\n\na new password was requested for your account at {company}.\n\nChoose it here within {minutes} minutes:\n{link}\n\nIf you did not request it, ignore this mail: your password stays unchanged.',
  }),
  security({
    code: 'user.invited',
    name: 'Invitation',
    channels: MAIL,
    title: 'You are invited to {company}',
    body: 'Hello {name},\n\nan account was created for you at {company}. Your user name is {username}.\n\nChoose your password here within {hours} hours:\n{link}',
  }),
  security({
    code: 'password.changed',
    name: 'Password changed',
    title: 'Your password was changed',
    body: 'Hello {name},\n\nyour password at {company} was changed on {time} from {device}.\n\nIf it was not you, contact your administrator at once.',
  }),
  security({
    code: 'login.new_device',
    name: 'Sign-in from a new device',
    title: 'New sign-in from {device}',
    body: 'Hello {name},\n\nsomebody signed in to {company} with your account on {time} from {device}, address {ip}.\n\nIf it was not you, change your password and sign out everywhere (Account and security).',
  }),
  security({
    code: 'email.changed',
    name: 'E-mail address changed',
    title: 'The e-mail address of your account was changed',
    body: 'Hello {name},\n\nthe e-mail address of your account at {company} is now {email}.\n\nIf you did not expect this, contact your administrator.',
  }),
  security({
    code: 'mfa.changed',
    name: 'Second factor changed',
    title: '2-step verification was {change}',
    body: 'Hello {name},\n\n2-step verification of your account at {company} was {change} on {time}.',
  }),
  security({
    code: 'account.locked',
    name: 'Account temporarily locked',
    title: 'Too many failed sign-ins for {name}',
    body: 'After {failures} failed attempts from {ip} the account {username} is locked for a while. You do not need to do anything unless it happens again.',
  }),
  event({
    code: 'user.disabled',
    name: 'Account of a team member disabled',
    severity: 'warning',
    channels: BOTH,
    title: '{name} can no longer sign in',
    body: 'The account of {name} was disabled: {reason}. See My team for open work, and reassign it.',
  }),
  event({
    code: 'offline.refused',
    name: 'Offline work refused',
    severity: 'warning',
    channels: BOTH,
    groupMinutes: 60,
    title: '{title}, done offline by {name}, was refused',
    mergedTitle: '{count} changes that {name} made offline were refused',
    body: '{name} made this change offline: {title}. It was refused when it was sent: {message} It is kept until {name} corrects and resends it or discards it, or until somebody does it at the record.',
  }),
  event({
    code: 'rights.changed',
    name: 'Rights changed',
    title: 'Your rights were changed',
    body: '{actor} changed your rights. Pages that you can no longer open have been removed from the menu.',
    groupMinutes: 10,
  }),
  event({
    code: 'session.expiring',
    name: 'Sign-in ends soon',
    title: 'Your sign-in ends on {date}',
    body: 'Extend it with the button at the top right, or sign in again.',
  }),
  event({
    code: 'comment',
    name: 'Comment',
    title: '{actor} commented on {record}',
    mergedTitle: '{count} comments on {record}',
    body: '{text}',
    channels: { inApp: true, mail: false, push: true },
    groupMinutes: 30,
  }),
  event({
    code: 'mention',
    name: 'Mention',
    title: '{actor} mentioned you on {record}',
    body: '{text}',
    channels: { inApp: true, mail: false, push: true },
  }),
  event({
    code: 'board',
    name: 'Board and its rules',
    title: '{subject}',
    body: '{text}',
    channels: { inApp: true, mail: true, push: false },
  }),
  event({ code: 'escalation', name: 'Mail configuration rule', title: '{subject}', body: '{text}', channels: ALL }),
  event({
    code: 'import.done',
    name: 'Import finished',
    severity: 'success',
    title: 'Import of {list}: {result}',
    body: '{detail}',
  }),
  event({
    code: 'export.ready',
    name: 'Export ready',
    severity: 'success',
    title: 'Export of {list} {result}',
    body: '{detail}',
  }),
  event({
    code: 'report.sent',
    name: 'Report by mail',
    channels: MAIL,
    canMute: false,
    title: '{report}: {company}',
    body: 'Hello {name},\n\nthe report "{report}" of {date} is attached.\n\n{chosen}\n\n{owner} sends it {schedule}.\n\n{link}\n\nIf you no longer want to receive it: {leave}',
  }),
  event({
    code: 'report.not_sent',
    name: 'Report not sent to everybody',
    severity: 'warning',
    channels: BOTH,
    title: 'The report "{report}" was not sent to everybody',
    body: '{problem}\n\nChange or end the subscription on the page of the report.',
  }),
  event({
    code: 'job.failed',
    name: 'Job failed',
    severity: 'error',
    title: 'The job "{job}" failed',
    body: '{error}',
    channels: BOTH,
    groupMinutes: 60,
  }),
  event({
    code: 'mailbox.mail_failed',
    name: 'A mail of a mailbox could not be processed',
    severity: 'error',
    title: 'Mailbox {mailbox}: "{mail}" could not be processed',
    mergedTitle: 'Mailbox {mailbox}: {count} mails could not be processed',
    body: '{error}\n\nIt stays unread in the mailbox, and the others are processed. The page of the mailbox lists it and can try it again.',
    channels: BOTH,
    groupMinutes: 60,
  }),
  event({
    code: 'approval.assigned',
    name: 'Approval needed',
    title: '{list}: {record} is waiting for you',
    mergedTitle: '{count} of {list} are waiting for you',
    body: 'Requested by {actor}. It is now "{state}".',
    channels: ALL,
    groupMinutes: 10,
  }),
  event({
    code: 'approval.reminder',
    name: 'Approval still needed',
    title: '{record} is still waiting for you',
    body: 'Requested by {actor} on {date}.{limit}',
    channels: ALL,
  }),
  event({
    code: 'approval.escalated',
    name: 'An approval was escalated to you',
    severity: 'warning',
    title: '{record} is waiting for you as well',
    body: 'Requested by {actor} on {date}. The first approvers have not decided within the time limit.',
    channels: ALL,
  }),
  event({
    code: 'approval.decided',
    name: 'Your request was decided',
    title: '{list}: {record} is "{state}"',
    body: '{actor} decided it{for}.',
    channels: ALL,
  }),
  event({
    code: 'delegation.started',
    name: 'Delegation begins',
    title: '{to} acts for {from} until {date}',
    body: '{reason}',
    channels: BOTH,
  }),
  event({
    code: 'delegation.ended',
    name: 'Delegation ended',
    title: '{to} no longer acts for {from}',
    body: '{reason}',
    channels: BOTH,
  }),
  event({
    code: 'employee.joined',
    name: 'Somebody joined',
    title: '{employee} joined as {designation}',
    body: '{employee} ({empno}) joined {branch} on {date}.',
  }),
  event({
    code: 'employee.left',
    name: 'Somebody left',
    title: '{employee} leaves on {date}',
    body: '{employee} ({empno}), {designation}, leaves on {date}.',
    channels: BOTH,
  }),
  event({
    code: 'employee.manager_changed',
    name: 'New manager',
    title: '{employee} reports to {manager} from {date}',
    body: '{reason}',
  }),
  event({
    code: 'department.without_head',
    name: 'Department without a head',
    severity: 'warning',
    title: '{departments}: no head',
    body: '{employee} has left and nobody took over. Choose a head; until then reminders go to the head of the department above.',
  }),
  event({
    code: 'manual.published',
    name: 'User manual published',
    title: 'User manual: {title}',
    body: 'A new version is available.',
  }),
  event({
    code: 'holiday.roll',
    name: 'Holidays of next year',
    title: 'Holidays {year} of {company} are ready to be copied',
    body: '{count} holidays of this year are not in {year} yet: {fixed} keep their date, {open} need one.\n\nReview and copy them.',
    channels: BOTH,
  }),
  event({
    code: 'holiday.changed',
    name: 'Holiday on a past day',
    severity: 'warning',
    title: 'Holidays on past days: {holidays}',
    body: '{actor} entered or changed {holidays}. Working days that were already counted and closed are unchanged.',
  }),
  event({
    code: 'api.disabled',
    name: 'Webhook switched off',
    severity: 'error',
    title: 'The webhook "{name}" was switched off',
    body: '{error}',
    channels: BOTH,
  }),
  event({
    code: 'api.key_expiring',
    name: 'API key expires',
    severity: 'warning',
    title: 'The key "{name}" expires on {date}',
    body: 'The program that uses it will be refused from the next day. Enter a later date, or create a new key, in API configuration.',
    channels: BOTH,
  }),
  security({
    code: 'api.key_revoked',
    name: 'API key revoked',
    severity: 'error',
    title: 'The key "{name}" was revoked',
    body: 'It was sent in a URL, from {ip}, so it is stored in logs. The program that used it stops working until it has a new key.\n\nCreate a new one in API configuration, and send it as a header.',
  }),
  event({
    code: 'sync.failed',
    name: 'Import job failed',
    severity: 'error',
    title: 'The import job "{job}" failed',
    body: '{error}',
    channels: BOTH,
  }),
  event({
    code: 'sync.stopped_by_guard',
    name: 'Import job stopped',
    severity: 'warning',
    title: 'The import job "{job}" was stopped',
    body: '{error}',
    channels: BOTH,
  }),
  event({
    code: 'transcription.done',
    name: 'Transcription finished',
    severity: 'success',
    title: 'The text of "{title}" is ready',
    body: '{detail}',
    channels: ALL,
  }),
  event({
    code: 'transcription.failed',
    name: 'Transcription failed',
    severity: 'error',
    title: '"{title}" could not be transcribed',
    body: '{detail}',
  }),
  event({
    code: 'transcription.task',
    name: 'Action item from a recording',
    title: '{actor} assigned an action item to you: {text}',
    body: '{text}{by}. It came up in "{title}".',
    channels: ALL,
  }),
  event({
    code: 'sync.rejects',
    name: 'Import job with rejected rows',
    severity: 'warning',
    title: 'The import job "{job}" rejected {count} rows',
    body: '{errors}',
    channels: BOTH,
  }),
  event({
    code: 'sync.late',
    name: 'Import job late',
    severity: 'warning',
    title: 'The import job "{job}" has no fresh data',
    body: 'It has not succeeded for two periods ({since}).',
    channels: BOTH,
  }),
  event({
    code: 'tis.unsafe',
    name: 'Unsafe lift found',
    module: 'fms',
    severity: 'error',
    channels: ALL,
    title: 'Unsafe: lift {lift}, {building}',
    body: '{surveyor} found a critical fault at {customer} (inspection {number}). Take the lift out of service until it is repaired.',
  }),
  ...liftCallEvents(event, ALL, BOTH),
  ...liftMoneyEvents(event),
  ...reviewEvents(event),
  ...storesEvents(event),
  ...actTaskEvents(event, BOTH),
  event({
    code: 'visits.late',
    name: 'Visits overdue or missed',
    module: 'fms',
    severity: 'warning',
    channels: IN_APP,
    title: 'Visits: {overdue} overdue, {missed} missed',
    body: '{overdue} maintenance visits are past their last day, and {missed} were missed. Plan or release them: {link}',
  }),
  event({
    code: 'visits.missed_week',
    name: 'Visits of your branch missed in the last week',
    module: 'fms',
    severity: 'warning',
    channels: BOTH,
    title: '{count} visits were missed in the last week',
    body: '{visits}\n\n{link}',
  }),
  event({
    code: 'visits.shifted',
    name: 'Visits moved off a holiday',
    module: 'fms',
    severity: 'info',
    channels: IN_APP,
    title: '{count} visits moved off holidays',
    body: '{count} planned visits fell on new holidays or days off. They have been moved within their windows: {link}',
  }),
  event({
    code: 'visits.on_leave',
    name: 'A technician with visits takes leave',
    module: 'fms',
    severity: 'warning',
    channels: IN_APP,
    title: '{name} is on leave from {from} to {to}: {count} visits',
    body: '{count} released visits are assigned to {name} on these days. Assign them to somebody else: {link}',
  }),
  event({
    code: 'visits.nobody_in',
    name: 'Technicians with visits have not checked in',
    module: 'fms',
    severity: 'warning',
    channels: IN_APP,
    title: 'Not checked in: {people}',
    body: '{people} have visits today and have not checked in: {link}',
  }),
  event({
    code: 'step.refused',
    name: 'An automatic step is refused',
    severity: 'warning',
    channels: BOTH,
    title: '{step} is due for {record}, and is refused',
    body: '{reason}\n\nIt is tried again until it succeeds.',
  }),
  event({
    code: 'support.asked',
    name: 'Support asks for access',
    severity: 'warning',
    title: '{actor} asks to see figures: {purpose}',
    body: '{reason}\n\nApprove or refuse it under Support requests. Until then nothing can be seen.',
    channels: BOTH,
  }),
  event({
    code: 'support.sign_in_asked',
    name: 'Support asks to sign in',
    severity: 'warning',
    title: '{actor} of support asks to sign in',
    body: '{reason}\n\nApprove or refuse it under Support requests. Until then nobody can sign in.',
    channels: BOTH,
  }),
  event({
    code: 'support.sign_in_open',
    name: 'Support may sign in',
    severity: 'warning',
    title: '{actor} of support may sign in until {until}',
    body: '{reason}\n\nYour configuration allows support to sign in without asking. End it under Support requests.',
    channels: BOTH,
  }),
  event({
    code: 'contact.received',
    name: 'Enquiry from the website',
    title: 'Enquiry from {from}',
    body: '{text}',
    channels: BOTH,
  }),
  event({
    code: 'client.ready',
    name: 'Client ready',
    severity: 'success',
    title: '{company} is ready',
    body: 'Its administrator {admin} was invited.',
    channels: BOTH,
  }),
  event({
    code: 'client.ending',
    name: 'Subscription ends',
    severity: 'warning',
    title: '{what} ends on {date}',
    body: 'Hello {name},\n\n{what} of {company} ends in {days}, on {date}. Please renew it; the data is kept.',
    channels: BOTH,
    canMute: false,
  }),
  event({
    code: 'client.deactivated',
    name: 'Client switched off',
    severity: 'warning',
    title: '{company} was switched off',
    body: '{reason}',
    channels: BOTH,
  }),
];

const byCode = new Map(NOTIFICATION_EVENTS.map((one) => [one.code, one]));

/** @throws Error for a code that is not in the list: a mistake of the programmer */
export function eventOf(code: string): NotificationEvent {
  const found = byCode.get(code);
  if (!found) throw new Error(`There is no notification event "${code}".`);
  return found;
}

/** The placeholders of a text, each once. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!))];
}

/** The placeholders available to a template for the event: those of its default texts, and those of every event. */
export function allowedPlaceholders(event: NotificationEvent): string[] {
  return [
    ...new Set([
      ...placeholdersOf(`${event.title} ${event.mergedTitle ?? ''} ${event.body}`),
      'name',
      'company',
      'link',
    ]),
  ].sort();
}

/** Fills placeholders; one without a value becomes empty. */
export function fill(text: string, values: Record<string, string>): string {
  return text
    .replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}
