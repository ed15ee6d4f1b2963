import type { Guard } from '../../../engine/modules.ts';

/** Every question is answered, and has its photo, before an inspection goes to its review. */
export const allAnswered: Guard = {
  async check({ unit, record }) {
    const rows = await unit.query<{ at: number; question: string; unanswered: boolean; no_photo: boolean }>(
      `select a."position" as at, f.question,
         coalesce(f.mandatory, true) and case when f.input in ('choice', 'multi') then a.answer_id is null when f.input in ('photo', 'signature') then a.photo is null else coalesce(a.answer_text, '') = '' end as unanswered,
         a.photo is null and (f.photo_when = 'always' and (f.mandatory is distinct from false or a.answer_id is not null) or f.photo_when = 'on_fault' and v.severity in ('major', 'critical')) as no_photo
       from {tis_inspection.answers} a join {tis_survey_field} f on f.id = a.tis_survey_field_id left join {tis_survey_value} v on v.id = a.answer_id
       where a.parent_id = $1 order by a."position"`,
      [record.id],
    );
    const found = rows.flatMap(({ at, question, unanswered, no_photo: noPhoto }) => {
      if (unanswered) return [{ field: `answers.${at}.answer_id`, message: `"${question}" is not answered yet.` }];
      return noPhoto ? [{ field: `answers.${at}.photo`, message: `"${question}" needs a photo.` }] : [];
    });
    const [first, ...others] = found;
    return first && others.length > 0
      ? [{ ...first, message: `${first.message} ${others.length} more are missing.` }, ...others]
      : found;
  },
};
