import type { Module } from '../../engine/modules.ts';
import { makeClient } from './effects/make_client.ts';
import { publishLater } from './effects/publish_later.ts';
import { readyForClient } from './guards/ready_for_client.ts';

const module: Module = {
  name: 'admin',
  effects: { make_client: makeClient, publish_later: publishLater },
  guards: { ready_for_client: readyForClient },
};
export default module;
