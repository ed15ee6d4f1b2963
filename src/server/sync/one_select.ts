/**
 * Why a text is not one SELECT; null = it is. Strings, quoted names and comments are skipped, so that what stands
 * in them counts for nothing. The database is asked in a read-only transaction as well: this says it early and in words.
 */
export function notOneSelect(query: string): string | null {
  const bare = withoutQuoted(query);
  if (bare === null) return 'A quotation mark or a comment is not closed.';
  const text = bare.trim().replace(/;\s*$/, '').trim();
  if (text === '') return 'Enter one SELECT.';
  if (text.includes(';')) return 'Only one statement may stand here.';
  if (!/^\(*\s*(select|with|values|table)\b/i.test(text)) return 'The query must begin with SELECT.';
  const forbidden = /(?:^|\(\s*|\bas\s+(?:(?:not\s+)?materialized\s*)?\(\s*|\)\s*)(insert|update|delete|merge)\b/i.exec(text) ?? /\b(into)\b/i.exec(text) ?? /\bfor\s+(?:no\s+key\s+|key\s+)?(update|share)\b/i.exec(text);
  if (forbidden) return `The query may only read: take out ${forbidden[1]!.toUpperCase()}.`;
  return null;
}

/** The query as it can stand in brackets. */
export function asSubquery(query: string): string {
  return `(${query.trim().replace(/;\s*$/, '')}\n) as source`;
}

/** The text with strings, quoted names and comments made blank; null if one of them does not end. */
function withoutQuoted(query: string): string | null {
  let out = '';
  for (let at = 0; at < query.length; ) {
    const rest = query.slice(at);
    const open = /^(--|\/\*|"|[eE]?'|\$(?:[A-Za-z_]\w*)?\$)/.exec(rest)?.[0];
    if (open === undefined) {
      out += query[at++];
      continue;
    }
    const length = quotedLength(rest, open);
    if (length === null) return null;
    out += open === '"' ? '"n"' : ' ';
    at += length;
  }
  return out;
}

function quotedLength(rest: string, open: string): number | null {
  if (open === '--') return rest.includes('\n') ? rest.indexOf('\n') : rest.length;
  if (open === '/*') return commentLength(rest);
  if (open.startsWith('$')) {
    const end = rest.indexOf(open, open.length);
    return end < 0 ? null : end + open.length;
  }
  const escapes = open.length === 2;
  const mark = open.at(-1)!;
  for (let at = open.length; at < rest.length; at++) {
    if (escapes && rest[at] === '\\') at++;
    else if (rest[at] === mark && rest[at + 1] === mark) at++;
    else if (rest[at] === mark) return at + 1;
  }
  return null;
}

/** Comments of PostgreSQL may hold comments. */
function commentLength(rest: string): number | null {
  let depth = 0;
  for (let at = 0; at < rest.length - 1; at++) {
    const two = rest.slice(at, at + 2);
    if (two === '/*') {
      depth++;
      at++;
    } else if (two === '*/') {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
