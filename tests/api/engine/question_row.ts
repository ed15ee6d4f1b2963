/** A row of a questionnaire template; its text is its code unless `more` says otherwise. */
export const question = (code: string, question_type: string, more: Record<string, unknown> = {}) => ({
  code,
  question_type,
  text: code,
  ...more,
});
