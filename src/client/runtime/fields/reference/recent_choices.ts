import { currentSession } from '../../../app/session.ts';

const kept = 5;

/** Per person and company: choices for one client mean nothing for another. */
function key(type: string): string {
  const { userId, entityId } = currentSession();
  return `recent_choices.${userId}.${entityId ?? 0}.${type}`;
}

/** Ids of the last chosen records of this type, newest first. */
export function recentChoices(type: string): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(type)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id): id is number => Number.isSafeInteger(id)) : [];
  } catch {
    return [];
  }
}

export function noteChoice(type: string, id: number): void {
  try {
    localStorage.setItem(
      key(type),
      JSON.stringify([id, ...recentChoices(type).filter((old) => old !== id)].slice(0, kept)),
    );
  } catch {
    // If storage is full or blocked, only the shortcut is lost.
  }
}
