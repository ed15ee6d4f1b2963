/** Where the message that is answered begins, in the mail programs that people use. */
const QUOTED = [
  /^\s*>/,
  /^-{2,}\s*(original message|forwarded message)/i,
  /^on .{5,200} wrote:\s*$/i,
  /^_{10,}\s*$/,
  /^from:\s.+/i,
];
/** The line above a signature, by the convention of mail programs. */
const SIGNATURE = /^--\s?$/;

/** What somebody wrote in a mail: without the message that it answers, and without the signature. */
export function writtenInMail(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const end = lines.findIndex((line) => SIGNATURE.test(line) || QUOTED.some((pattern) => pattern.test(line)));
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim();
}

/** The parts of a subject that may be the number of a ticket, in small letters. */
export const numbersInSubject = (subject: string): string[] => [
  ...new Set(subject.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}/._-]*\d/gu) ?? []),
];
