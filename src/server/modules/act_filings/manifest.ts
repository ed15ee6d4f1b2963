import type { Module } from '../../engine/modules.ts';
import { enterEvent } from './actions/enter_event.ts';
import { makeComing } from './actions/make_coming.ts';
import { extendOthers } from './effects/extend_others.ts';
import { prepare } from './effects/prepare.ts';
import { revise } from './effects/revise.ts';
import { figures } from './fills/figures.ts';
import { formFacts } from './fills/form_facts.ts';
import { generateFilings } from './jobs/generate_filings.ts';

const module: Module = {
  name: 'act_filings',
  effects: { extend_others: extendOthers, prepare, revise },
  fills: { figures, form_facts: formFacts },
  actions: { enter_event: enterEvent, make_coming: makeComing },
  jobs: { generate_filings: generateFilings },
};
export default module;
