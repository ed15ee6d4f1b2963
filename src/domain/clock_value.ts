import type { Span } from './open_hours.ts';

/** The state of a record's clock at its last change, with the data a browser needs to continue it. */
export interface ClockValue {
  state: 'running' | 'paused' | 'met' | 'missed' | 'ended';
  /** Milliseconds. */
  since: number;
  /** Minutes elapsed at that time. */
  elapsed: number;
  /** Minutes; null = no target, the clock only measures time. */
  target: number | null;
  due: number | null;
  /** It runs by day and night: long times are shown in days. */
  always?: true;
  /** The open intervals from then on; after them, time counts without interruption. */
  spans: Span[];
}

const MINUTE = 60_000;

/** The minutes elapsed until a point in time. */
function clockElapsed({ state, since, elapsed, spans }: ClockValue, now: number): number {
  if (state !== 'running') return elapsed;
  const counted = spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, now) - from), 0);
  const last = spans.at(-1)?.[1] ?? since;
  return elapsed + (counted + Math.max(0, now - last)) / MINUTE;
}

/** A clock as text: "3 h 20 min left", "Overdue by 40 min". */
export function clockText(value: ClockValue, now: number): string {
  const { state, target } = value;
  const elapsed = clockElapsed(value, now);
  const duration = (minutes: number) => durationText(minutes, value.always === true);
  if (state === 'met' || state === 'missed')
    return state === 'met' ? 'Met' : `Missed by ${duration(elapsed - (target ?? 0))}`;
  if (state === 'ended' && target !== null) return 'Stopped';
  if (state === 'paused' && elapsed === 0) return 'Not started';
  const prefix = state === 'paused' ? 'Paused · ' : '';
  if (target === null) return `${prefix}${duration(elapsed)}`;
  const left = target - elapsed;
  return left >= 0 ? `${prefix}${duration(left)} left` : `${prefix}Overdue by ${duration(-left)}`;
}

/** The meaning of a clock's colour. */
export function clockTone(value: ClockValue, now: number): 'success' | 'danger' | 'warning' | 'neutral' {
  const { state, target } = value;
  if (state === 'met') return 'success';
  if (state === 'ended') return 'neutral';
  const left = target === null ? null : target - clockElapsed(value, now);
  if (state === 'missed' || (left !== null && left < 0)) return 'danger';
  if (state === 'paused' || left === null || target === null) return 'neutral';
  return left <= target / 4 ? 'warning' : 'success';
}

/** From so many hours on, a clock that runs by day and night shows days. */
const HOURS_SHOWN = 48;

function durationText(minutes: number, inDays: boolean): string {
  const whole = Math.floor(Math.max(0, minutes));
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  if (inDays && hours >= HOURS_SHOWN) return `${Math.floor(hours / 24)} d${hours % 24 === 0 ? '' : ` ${hours % 24} h`}`;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
