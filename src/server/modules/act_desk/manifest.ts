import type { Module } from '../../engine/modules.ts';
import { applyToOpen } from './actions/apply_to_open.ts';
import { receiveMail } from './actions/receive_mail.ts';
import { retryMails } from './actions/retry_mails.ts';
import { forwarded } from './effects/forwarded.ts';
import { log } from './effects/log.ts';
import { mailed, mailedLate } from './effects/mailed.ts';
import { merged } from './effects/merged.ts';
import { approved, raised } from './effects/raised.ts';
import { noted, replied } from './effects/replied.ts';
import { articles } from './fills/articles.ts';
import { priority } from './fills/priority.ts';
import { similar } from './fills/similar.ts';
import { slab } from './fills/slab.ts';
import {
  inGroup,
  mayForward,
  mayMerge,
  mayPause,
  mayReopen,
  noOpenParts,
  serviceOpen,
} from './guards/ticket_guards.ts';
import { fetchMails } from './jobs/fetch_mails.ts';
import { sendNotices } from './jobs/send_notices.ts';
import { onBand, onBreach } from './subscribers/on_band.ts';
import { onHappening } from './subscribers/notice.ts';
import { resolutionMinutes, responseMinutes } from './targets/promised.ts';
import { recordFigures } from './record_figures.ts';

const module: Module = {
  name: 'act_desk',
  figures: recordFigures,
  effects: { approved, forwarded, log, mailed, mailed_late: mailedLate, merged, noted, raised, replied },
  actions: { apply_to_open: applyToOpen, receive_mail: receiveMail, retry_mails: retryMails },
  guards: {
    in_group: inGroup,
    may_forward: mayForward,
    may_merge: mayMerge,
    may_pause: mayPause,
    may_reopen: mayReopen,
    no_open_parts: noOpenParts,
    service_open: serviceOpen,
  },
  fills: { articles, priority, similar, slab },
  targets: { resolution_minutes: resolutionMinutes, response_minutes: responseMinutes },
  jobs: { fetch_mails: fetchMails, send_notices: sendNotices },
  stepJobs: ['notices', 'on_band', 'apply_to_open', 'receive_mail'],
  on: {
    'ticket.response_breach': onBreach('response_breached'),
    'ticket.resolution_breach': onBreach('resolution_breached'),
    'ticket.resolution_band': onBand,
    'ticket.created': onHappening('created'),
    'ticket.assign': onHappening('assigned'),
    'ticket.assign_by_rule': onHappening('assigned'),
    'ticket.hand_to_manager': onHappening('assigned'),
    'ticket.forward': onHappening('assigned'),
    'ticket.close': onHappening('closed'),
    'ticket.reopen': onHappening('reopened'),
    'ticket.mail_reopen': onHappening('reopened'),
  },
};
export default module;
