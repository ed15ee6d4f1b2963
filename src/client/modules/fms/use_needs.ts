import { useEffect, useMemo, useState } from 'react';
import type { WireRecord } from '../../../descriptor/types.ts';
import { neededFor } from '../../../domain/fms/ticket_needs.ts';
import { ApiError } from '../../api/http.ts';
import { waitingActs } from '../../runtime/offline/outbox.ts';
import { openQuestions } from '../../runtime/questionnaire/open_questions.ts';
import { useKeptList } from './use_kept.ts';

/** Something that must be recorded about a component for this type of ticket. */
export interface Observation {
  kind: WireRecord;
  component: string;
  name: string;
}

/** What a ticket's completion requires, as far as this device knows; null until it is loaded. */
export interface Needs {
  needs: ReadonlySet<string>;
  /** What must be recorded, and is not. */
  observations: readonly Observation[];
  hasHistory: boolean;
  hasParts: boolean;
  openQuestions: number;
}

const idsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The completion requirements of a ticket, from the downloaded data and the unsent actions, so that they hold offline.
 */
export function useNeeds(record: WireRecord): Needs | null {
  const needs = useMemo(() => neededFor(idsOf(record.needs) as string[], record.trapped === true), [record]);
  const kinds = useKeptList('attribute_lookup_type', ['id', 'gt', 0], 'name');
  const groups = useKeptList('attribute_lookup_group', ['id', 'gt', 0], 'seq,name');
  const history = useKeptList('job_history', ['fms_ticket_id', 'eq', record.id]);
  const lifts = useKeptList('lift', ['id', 'eq', Number(record.lift_id)]);
  const waiting = waitingActs.use();
  const asksQuestions = needs.has('checklist') && typeof record.answers === 'number';
  const open = useOpenQuestions(record.id, asksQuestions);
  return useMemo(() => {
    if (!kinds || !groups || !history || !lifts || open === null) return null;
    const made = (type: string, ticket: string) =>
      waiting.flatMap(({ type: of, do: name, input }) =>
        of === type && name === 'create' && input[ticket] === record.id ? [input] : [],
      );
    const entries = [...history, ...made('job_history', 'fms_ticket_id')];
    const recorded = new Set(entries.map(({ attribute_lookup_type_id: type }) => type));
    const observations = groups
      .filter(({ lift_type_ids: types }) => {
        const only = idsOf(types);
        return only.length === 0 || lifts.some(({ lift_type_id: type }) => only.includes(type));
      })
      .flatMap((group) =>
        kinds
          .filter(
            (kind) =>
              kind.attribute_lookup_group_id === group.id &&
              idsOf(kind.needed_for).includes(record.ticket_definition_id) &&
              !recorded.has(kind.id),
          )
          .map((kind) => ({ kind, component: String(group.name), name: String(kind.name) })),
      );
    return {
      needs,
      observations,
      hasHistory: entries.length > 0,
      hasParts: idsOf(record.parts).length > 0 || made('mr_consumption', 'ticket_id').length > 0,
      openQuestions: open,
    };
  }, [kinds, groups, history, open, waiting, lifts, needs, record]);
}

/** How many questions of the checklist or rescue report are open; unknown ones are left to the server. */
function useOpenQuestions(ticket: number, asks: boolean): number | null {
  const [open, setOpen] = useState<number | null>(asks ? null : 0);
  useEffect(() => {
    if (!asks) return;
    openQuestions('fms_ticket', ticket, 'answers')
      .then(setOpen)
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError)) throw thrown;
        setOpen(0);
      });
  }, [ticket, asks]);
  return open;
}
