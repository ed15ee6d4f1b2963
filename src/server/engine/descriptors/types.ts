import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../../descriptor/types.ts';
import { NOTIFICATION_EVENTS } from '../../services/notifications/events.ts';

/**
 * The field types that descriptors name: those of `types.json`, and the lists defined in server code, so that they are
 * written only once: `types#notification_event`.
 */
export function readTypes(schemasDir: string): JsonSchema {
  const types = JSON.parse(readFileSync(join(schemasDir, 'types.json'), 'utf8')) as JsonSchema;
  const notification_event: JsonSchema = {
    'x-type': 'enum',
    type: 'string',
    title: 'Notification',
    enum: NOTIFICATION_EVENTS.map(({ code }) => code),
    'x-labels': Object.fromEntries(NOTIFICATION_EVENTS.map(({ code, name }) => [code, name])),
  };
  return { ...types, $defs: { ...(types.$defs as Record<string, JsonSchema>), notification_event } };
}
