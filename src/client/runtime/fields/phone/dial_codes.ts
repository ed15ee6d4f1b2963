const short = new Set(['1', '7']);
const double = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Splits +919840012345 into its dial code and the rest. No dial code is a prefix of another (ITU-T E.164). */
export function splitPhone(value: string): { dial: string; rest: string } {
  const digits = /^\+(\d+)$/.exec(value)?.[1];
  if (digits === undefined) return { dial: '', rest: value };
  const length = short.has(digits.slice(0, 1)) ? 1 : double.has(digits.slice(0, 2)) ? 2 : 3;
  return { dial: `+${digits.slice(0, length)}`, rest: digits.slice(length) };
}
