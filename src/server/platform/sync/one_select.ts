/** Databases that import jobs read from: each has its own rules of what is text, a name, a comment. */
export type Dialect = 'postgres' | 'mysql' | 'mssql' | 'oracle';

interface Rules {
  /** What opens something that is skipped; comes before words, so that prefixes (E'…', q'…') are seen with their mark. */
  opens: RegExp;
  /** Characters of a word; a mark within a word opens nothing. */
  word: RegExp;
  /** Comments may hold comments. */
  nested: boolean;
  /** Texts in which a backslash takes away the meaning of the next character, by what opens them. */
  escapes: RegExp;
  begins: RegExp;
  /** Words that read no more, beside those of every dialect. */
  refuses: RegExp[];
}

const NEVER = /(?!)/;
const RULES: Record<Dialect, Rules> = {
  postgres: {
    opens: /--|\/\*|"|[eE]?'|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y,
    word: /[\w\u0080-\uffff][\w$\u0080-\uffff]*/y,
    nested: true,
    escapes: /^[eE]/,
    begins: /^\(*\s*(select|with|values|table)\b/i,
    refuses: [],
  },
  mysql: {
    // Two dashes are a comment only before a blank; else they are two minus signs.
    opens: /--(?=[ \t\n]|$)|#|\/\*|"|'|`/y,
    word: /[\w$\u0080-\uffff]+/y,
    nested: false,
    escapes: /^["']/,
    begins: /^\(*\s*(select|with|values|table)\b/i,
    refuses: [/\b(lock\s+in\s+share)\b/i, /\b(load_file)\s*\(/i],
  },
  mssql: {
    opens: /--|\/\*|"|'|\[/y,
    word: /[\w$#@\u0080-\uffff]+/y,
    nested: true,
    escapes: NEVER,
    begins: /^\(*\s*(select|with)\b/i,
    // Statements follow one another without a mark here, so words that begin one are refused wherever they stand; none of them can be a bare name.
    refuses: [
      /\b(insert|update|delete|merge|exec|execute|drop|alter|create|truncate|grant|revoke|deny|backup|restore|shutdown|kill|waitfor|dbcc|declare|set|use|begin|commit|rollback|save|print|raiserror|throw|reconfigure|bulk|writetext|updatetext|readtext)\b/i,
      /\b(openquery|openrowset|opendatasource)\b/i,
      /\bnext\s+(value)\s+for\b/i,
      /\b(updlock|xlock|tablockx)\b/i,
      /\b(option)\s*\(/i,
    ],
  },
  oracle: {
    opens: /--|\/\*|"|[nN]?[qQ]'|'/y,
    word: /[\w$#\u0080-\uffff]+/y,
    nested: false,
    escapes: NEVER,
    begins: /^\(*\s*(select|with)\b/i,
    refuses: [/\bwith\s+(function|procedure)\b/i],
  },
};

/** Whether sources of the kind are databases, asked in SQL. */
export function isDialect(kind: string): kind is Dialect {
  return Object.hasOwn(RULES, kind);
}

/** Characters that one server takes as the end of a line or a blank and another does not. */
const ODD = /[\p{Cc}\u2028\u2029]/u;

/** What reads no more, in every dialect. */
const WRITES = [
  /(?:^|\(\s*|\bas\s+(?:(?:not\s+)?materialized\s*)?\(\s*|\)\s*)(insert|update|delete|merge)\b/i,
  /\b(into)\b/i,
  /\bfor\s+(?:no\s+key\s+|key\s+)?(update|share)\b/i,
];

/**
 * Why a text is not one SELECT; null = it is. Strings, quoted names and comments are skipped by the rules of the
 * dialect, so that what stands in them counts for nothing; what is not sure is refused. The database is asked in a
 * read-only transaction as well, where it has them: this says it early and in words. Servers without them, and without a
 * mark between statements (SQL Server), rest on it and on the brackets that every query is put into.
 */
export function notOneSelect(given: string, dialect: Dialect): string | null {
  const query = oneLineEnd(given);
  if (ODD.test(query.replace(/[\t\n]/g, ' ')))
    return 'The query contains an invisible character. Type the query instead of pasting it.';
  const command = dialect === 'mysql' && commandComment(query);
  if (command) return `Remove the comment that begins with ${command}: the server would execute it.`;
  const { begins, refuses } = RULES[dialect];
  const bare = withoutQuoted(query, dialect);
  if (bare === null) return 'A quotation mark or a comment is not closed.';
  const text = bare.trim().replace(/;\s*$/, '').trim();
  if (text === '') return 'Enter one SELECT.';
  if (text.includes(';')) return 'Only one statement is allowed here.';
  if (!begins.test(text)) return 'The query must begin with SELECT.';
  if (!balanced(text)) return 'The brackets of the query do not match.';
  for (const pattern of [...WRITES, ...refuses]) {
    const found = pattern.exec(text);
    if (found) return `The query may only read: take out ${found[1]!.toUpperCase()}.`;
  }
  return dialect === 'mssql' ? notWithinAnother(text) : null;
}

/** A query that reads from the query: its columns, and what follows it (where, order by). The query is called `source` there. */
export function readingFrom(query: string, dialect: Dialect, columns: string, rest = ''): string {
  const text = withoutEnd(oneLineEnd(query), dialect);
  const plain = (inner: string) =>
    `select ${columns} from (${inner}\n) ${dialect === 'oracle' ? '' : 'as '}source${rest}`;
  // SQL Server allows WITH at the very beginning alone: the query itself becomes one more of its parts.
  const at = dialect === 'mssql' ? mainSelect(withoutQuoted(text, dialect) ?? '') : 0;
  return at > 0
    ? `${text.slice(0, at).trimEnd()}, source as (${text.slice(at)}\n) select ${columns} from source${rest}`
    : plain(text);
}

/** A carriage return alone ends a comment for some servers and not for others: it never stands alone. */
function oneLineEnd(query: string): string {
  return query.replace(/\r\n?/g, '\n');
}

/** The query as it can stand in brackets: without a semicolon and the comments behind it. */
function withoutEnd(query: string, dialect: Dialect): string {
  const bare = withoutQuoted(query, dialect) ?? query;
  const end = /;\s*$/.exec(bare);
  return (end ? query.slice(0, end.index) : query).trim();
}

/** Why SQL Server does not take the query in brackets; null = it does. */
function notWithinAnother(text: string): string | null {
  const at = mainSelect(text);
  if (at < 0) return 'What stands before SELECT cannot be read. Write WITH name AS (…), … SELECT ….';
  const top = withoutBrackets(text.slice(at));
  if (/\border\s+by\b/i.test(top) && !/\b(?:offset|top)\b/i.test(top))
    return 'SQL Server does not sort here: take out ORDER BY, or write OFFSET 0 ROWS behind it.';
  return null;
}

/** Where the SELECT behind WITH begins, 0 without WITH, -1 where it cannot be known. */
function mainSelect(bare: string): number {
  if (!/^\s*with\b/i.test(bare)) return 0;
  const top = withoutBrackets(bare);
  const at = /\bselect\b/i.exec(top)?.index ?? -1;
  return at > 0 &&
    /^\s*with\s+(?:[\w"$#@\u0080-\uffff]+\s*(?:\(\s*\)\s*)?as\s*\(\s*\)\s*,\s*)*[\w"$#@\u0080-\uffff]+\s*(?:\(\s*\)\s*)?as\s*\(\s*\)\s*$/i.test(
      top.slice(0, at),
    )
    ? at
    : -1;
}

/** The text with what stands in brackets made blank; every character keeps its place. */
function withoutBrackets(text: string): string {
  let depth = 0;
  return text.replace(/[^]/g, (one) => {
    if (one === ')') depth--;
    const kept = depth === 0;
    if (one === '(') depth++;
    return kept ? one : ' ';
  });
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const one of text) {
    if (one === '(') depth++;
    if (one === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

/** The first comment that MySQL or MariaDB would carry out, or null. */
function commandComment(query: string): string | null {
  let found: string | null = null;
  skip(query, 'mysql', (text) => {
    found ??= /^\/\*(?:M?!|\+)/i.exec(text)?.[0] ?? null;
    return '';
  });
  return found;
}

/** The text with strings, quoted names and comments made blank, each character in its place; null if one of them does not end. */
function withoutQuoted(query: string, dialect: Dialect): string | null {
  return skip(query, dialect, (text) =>
    isName(text, dialect) ? `"${'n'.repeat(text.length - 2)}"` : ' '.repeat(text.length),
  );
}

function isName(text: string, dialect: Dialect): boolean {
  return text.startsWith('`') || text.startsWith('[') || (text.startsWith('"') && dialect !== 'mysql');
}

/** The text with each string, quoted name and comment put through `instead`; null if one of them does not end. */
function skip(query: string, dialect: Dialect, instead: (text: string) => string): string | null {
  const { opens, word } = RULES[dialect];
  let out = '';
  for (let at = 0; at < query.length;) {
    opens.lastIndex = word.lastIndex = at;
    const open = opens.exec(query)?.[0];
    if (open !== undefined) {
      const length = quotedLength(query.slice(at), open, dialect);
      if (length === null) return null;
      out += instead(query.slice(at, at + length));
      at += length;
      continue;
    }
    const plain = word.exec(query)?.[0] ?? query[at]!;
    out += plain;
    at += plain.length;
  }
  return out;
}

function quotedLength(rest: string, open: string, dialect: Dialect): number | null {
  if (open === '--' || open === '#') return rest.includes('\n') ? rest.indexOf('\n') : rest.length;
  if (open === '/*') return commentLength(rest, RULES[dialect].nested);
  if (open.startsWith('$')) return endOf(rest, open, open.length);
  if (/q'$/i.test(open)) {
    const mark = rest[open.length];
    return mark === undefined || /\s/.test(mark)
      ? null
      : endOf(rest, `${{ '(': ')', '[': ']', '{': '}', '<': '>' }[mark] ?? mark}'`, open.length + 1);
  }
  const escapes = RULES[dialect].escapes.test(open);
  const mark = open === '[' ? ']' : open.at(-1)!;
  // Oracle's names cannot hold their mark.
  const doubles = !(dialect === 'oracle' && mark === '"');
  for (let at = open.length; at < rest.length; at++) {
    if (escapes && rest[at] === '\\') at++;
    else if (doubles && rest[at] === mark && rest[at + 1] === mark) at++;
    else if (rest[at] === mark) return at + 1;
  }
  return null;
}

function endOf(rest: string, mark: string, from: number): number | null {
  const end = rest.indexOf(mark, from);
  return end < 0 ? null : end + mark.length;
}

function commentLength(rest: string, nested: boolean): number | null {
  let depth = 0;
  for (let at = 0; at < rest.length - 1; at++) {
    const two = rest.slice(at, at + 2);
    if (two === '/*' && (nested || depth === 0)) {
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
