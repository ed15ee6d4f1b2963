/** Columns that every record has and lists may show. */
export const RECORD_TITLES: Record<string, string> = {
  updated_at: 'Changed on',
  updated_by: 'Changed by',
  created_at: 'Created on',
  created_by: 'Created by',
};
