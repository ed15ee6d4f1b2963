import { DateTime } from 'luxon';
import { appliesTo } from '../../../domain/act_filings/applicability.ts';
import { dueAfterEvent, duePeriods } from '../../../domain/act_filings/due_rule.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { companyProfile } from './company_profile.ts';
import type { FilingForm } from './filing_form.ts';
import { formsOf } from './filing_form.ts';

/** Number of days in advance for which filings are created. */
const AHEAD_DAYS = 90;
/** Older missed filings are not created. */
const BACK_DAYS = 400;

interface FormOfUnit {
  form_id: number;
  files_from: string;
  valid_to: string | null;
}

/**
 * The returns that the company's registrations must file, by their state, kind and the conditions of acts and forms; `unitIds`: for
 * these registrations only.
 */
async function formsByUnit(
  unit: Unit,
  unitIds: readonly number[],
  dueBasis: string,
): Promise<Map<number, FormOfUnit[]>> {
  const pairs = await unit.query<FormOfUnit & { unit_id: number; act_when: string | null; form_when: string | null }>(
    `select u.id as unit_id, f.id as form_id, a.applies_when as act_when, f.applies_when as form_when, coalesce(u.files_from, u.created_at::date)::text as files_from, u.valid_to::text
     from {compliance_unit} u
     join {statutory_form} f on f.active and f.unit_type = u.unit_type and f.due_basis = $3
     join {statutory_act} a on a.id = f.act_id and a.active and (a.level <> 'state' or a.state_id is null or u.state_id is null or a.state_id = u.state_id)
     where u.entity_id = $1 and u.active and u.id = any($2::bigint[])
       and (cardinality(coalesce(u.form_ids, '{}')) = 0 or f.id = any(u.form_ids)) order by u.id, f.id`,
    [unit.session.entityId, unitIds, dueBasis],
  );
  const profile = await companyProfile(unit);
  const applying = pairs.filter(
    ({ act_when: act, form_when: form }) => appliesTo(act, profile) && appliesTo(form, profile),
  );
  return Map.groupBy(applying, ({ unit_id: id }) => id);
}

interface Planned {
  form_id: number;
  unit_id: number;
  period_from: string;
  period_to: string;
  event_date?: string;
  due_on: string;
}

const holds = (form: FilingForm, from: string, to: string) =>
  (form.effective_from === null || to >= form.effective_from) &&
  (form.effective_to === null || from <= form.effective_to);

/** Adds the missing ones. If two runs overlap, the unique key rejects the second one's rows without an error. */
async function addMissing(unit: Unit, planned: readonly Planned[]): Promise<number> {
  const stored = await unit.query<{ key: string }>(
    `select concat_ws('/', form_id, unit_id, period_from) as key from {filing} where unit_id = any($1::bigint[]) and revised_of_id is null`,
    [[...new Set(planned.map(({ unit_id: id }) => id))]],
  );
  const there = new Set(stored.map(({ key }) => key));
  let made = 0;
  for (const one of planned) {
    if (there.has(`${one.form_id}/${one.unit_id}/${one.period_from}`)) continue;
    const refused = await unit.attempt(async () => {
      await unit.create('filing', { ...one });
    });
    if (refused && refused.status !== 409) throw refused;
    if (!refused) made++;
  }
  return made;
}

/**
 * Creates the filings of registrations due within 90 days, and missed ones since the registration files here. Existing
 * ones are unchanged, so it may run any number of times.
 * @returns how many were created
 */
export async function makeFilings(unit: Unit, unitIds: readonly number[], today: string): Promise<number> {
  const at = (days: number) => DateTime.fromISO(today, { zone: 'utc' }).plus({ days }).toISODate()!;
  const byUnit = await formsByUnit(unit, unitIds, 'calendar');
  const forms = await formsOf(unit, [...new Set([...byUnit.values()].flat().map(({ form_id: id }) => id))]);
  const planned: Planned[] = [];
  for (const [unitId, pairs] of byUnit)
    for (const { form_id: formId, files_from: filesFrom, valid_to: validTo } of pairs) {
      const form = forms.get(formId)!;
      const from = filesFrom > at(-BACK_DAYS) ? filesFrom : at(-BACK_DAYS);
      for (const period of duePeriods(form.rule, from, at(AHEAD_DAYS)))
        if (holds(form, period.period_from, period.period_to) && (validTo === null || period.period_from <= validTo))
          planned.push({ form_id: formId, unit_id: unitId, ...period });
    }
  return addMissing(unit, planned);
}

/** Creates the filings that an event requires, such as an annual general meeting. @returns how many were created */
export async function makeFilingsOfEvent(
  unit: Unit,
  { unitId, eventType, happenedOn }: { unitId: number; eventType: string; happenedOn: string },
): Promise<number> {
  const pairs = (await formsByUnit(unit, [unitId], 'event')).get(unitId) ?? [];
  const forms = await formsOf(
    unit,
    pairs.map(({ form_id: id }) => id),
  );
  const planned = [...forms.values()].flatMap((form) =>
    form.event_type === eventType && form.days_after_event !== null && holds(form, happenedOn, happenedOn)
      ? [
          {
            form_id: form.id,
            unit_id: unitId,
            period_from: happenedOn,
            period_to: happenedOn,
            event_date: happenedOn,
            due_on: dueAfterEvent(happenedOn, form.days_after_event),
          },
        ]
      : [],
  );
  return addMissing(unit, planned);
}
