import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;

/** What the type of ticket asks for before the work counts as done. Signature and code are asked for at the sign-off. */
export const needs: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [definition] = await unit.query<{ needs: string[] | null }>(
      'select needs from {ticket_definition} where id = $1',
      [record.ticket_definition_id],
    );
    const wanted = new Set(definition?.needs);
    const photos = Array.isArray(record.photos) ? (record.photos as Row[]) : [];
    const missing: [string, boolean, FieldError][] = [
      [
        'photo_before',
        photos.some(({ kind }) => kind === 'before'),
        { field: 'photos', message: 'Add a photo from before the work.' },
      ],
      [
        'photo_after',
        photos.some(({ kind }) => kind === 'after'),
        { field: 'photos', message: 'Add a photo from after the work.' },
      ],
      ['root_cause', Boolean(record.root_cause_id), { field: 'root_cause_id', message: 'Choose the root cause.' }],
      ['action_taken', Boolean(record.action_taken_id), { field: 'action_taken_id', message: 'Choose what was done.' }],
    ];
    return missing.flatMap(([name, isThere, finding]) => (wanted.has(name) && !isThere ? [finding] : []));
  },
};
