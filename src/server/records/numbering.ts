import type { Screen } from '../../descriptor/types.ts';
import type { Session } from '../context.ts';
import { quoted } from '../db/names.ts';
import { named } from './sql_text.ts';

/**
 * The series a new record's number belongs to, and the text around the counter. A series is one pattern of
 * one company; what stands before and after the counter (financial year, month) makes the key.
 */
export async function numberKey(session: Session, screen: Screen, record: Record<string, unknown>): Promise<{ key: string; before: string; width: number; after: string }> {
  const pattern = screen.number!.pattern;
  const dated = screen.fields.find((field) => field.type === 'date' && /^(date|.*_date)$/.test(field.name));
  const day = String((dated && record[dated.name]) ?? today(session.tenant.timezone));
  let company = { code: '', start: 4 };
  if (screen.scope === 'entity' && /\{(fy|company)\}/.test(pattern)) {
    const [row] = await session.tenant.db.query<{ code: string; start: number }>(named(`select code, coalesce(fy_start_month, 4) as start from ${quoted(session.tenant.schema)}.entity where id = $1`, [session.entityId]));
    if (row) company = row;
  }
  const filled = pattern.replace(/\{(fy|yyyy|yy|mm|company)\}/g, (_all, word: string) => {
    if (word === 'yyyy') return day.slice(0, 4);
    if (word === 'yy') return day.slice(2, 4);
    if (word === 'mm') return day.slice(5, 7);
    return word === 'company' ? company.code : financialYear(day, company.start);
  });
  const [, before = '', zeros = '0', after = ''] = /^(.*?)\{(0+)\}(.*)$/.exec(filled) ?? [];
  return { key: `${screen.name}|${screen.scope === 'entity' ? session.entityId : ''}|${before}|${after}`, before, width: zeros.length, after };
}

/** The day it is where the client is: a financial year begins at their midnight. */
export function today(timezone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
}

/** 2026-02-10 with a year from April → 2025-26. */
export function financialYear(day: string, startMonth: number): string {
  const start = Number(day.slice(5, 7)) >= startMonth ? Number(day.slice(0, 4)) : Number(day.slice(0, 4)) - 1;
  return `${start}-${String((start + 1) % 100).padStart(2, '0')}`;
}
