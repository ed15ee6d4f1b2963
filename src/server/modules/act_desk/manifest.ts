import type { Module } from '../../engine/modules.ts';
import { forwarded } from './effects/forwarded.ts';
import { log } from './effects/log.ts';
import { merged } from './effects/merged.ts';
import { raised } from './effects/raised.ts';
import { noted, replied } from './effects/replied.ts';
import { priority } from './fills/priority.ts';
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
import { onBand, onBreach } from './subscribers/on_band.ts';
import { resolutionMinutes, responseMinutes } from './targets/promised.ts';

const module: Module = {
  name: 'act_desk',
  effects: { forwarded, log, merged, noted, raised, replied },
  guards: {
    in_group: inGroup,
    may_forward: mayForward,
    may_merge: mayMerge,
    may_pause: mayPause,
    may_reopen: mayReopen,
    no_open_parts: noOpenParts,
    service_open: serviceOpen,
  },
  fills: { priority, slab },
  targets: { resolution_minutes: resolutionMinutes, response_minutes: responseMinutes },
  stepJobs: ['on_band'],
  on: {
    'ticket.response_breach': onBreach('response_breached'),
    'ticket.resolution_breach': onBreach('resolution_breached'),
    'ticket.resolution_band': onBand,
  },
};
export default module;
