/** The databases that import jobs read from: each has its own lexical rules for text, names and comments. */
export type Dialect = 'postgres' | 'mysql' | 'mssql' | 'oracle';

interface Rules {
  /** Tokens that start a skipped part; matched before words, so that prefixes (E'…', q'…') are recognised. */
  opens: RegExp;
  /** Word characters; a quotation mark within a word starts nothing. */
  word: RegExp;
  /** Comments may be nested. */
  nested: boolean;
  /** Texts with backslash escapes, by their opening token. */
  escapes: RegExp;
  begins: RegExp;
  /** Forbidden words, in addition to those of every dialect. */
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
    // Two dashes are a comment only before whitespace; otherwise they are two minus signs.
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
    // Statements need no separator here, so words that start one are refused anywhere; none of them can be a bare name.
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

/** Whether sources of this kind are SQL databases. */
export function isDialect(kind: string): kind is Dialect {
  return Object.hasOwn(RULES, kind);
}

/** Characters that some servers treat as a line end or whitespace and others do not. */
const ODD = /[\p{Cc}\u2028\u2029]/u;

/** Forbidden words in every dialect. */
const WRITES = [
  /(?:^|\(\s*|\bas\s+(?:(?:not\s+)?materialized\s*)?\(\s*|\)\s*)(insert|update|delete|merge)\b/i,
  /\b(into)\b/i,
  /\bfor\s+(?:no\s+key\s+|key\s+)?(update|share)\b/i,
];

/**
 * Why a text is not a single SELECT; null = it is. Strings, quoted names and comments are skipped by the rules of the
 * dialect, so that their content is ignored; uncertain cases are refused. The query also runs in a read-only
 * transaction, if the database has them: this check gives an early, readable message. For servers without them, and
 * without statement separators (SQL Server), it is the protection, together with the brackets around every query.
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

/**
 * A query that selects from the query: its columns, and the clauses after it (where, order by). The query has the alias
 * `source` there.
 */
export function readingFrom(query: string, dialect: Dialect, columns: string, rest = ''): string {
  const text = withoutEnd(oneLineEnd(query), dialect);
  const plain = (inner: string) =>
    `select ${columns} from (${inner}\n) ${dialect === 'oracle' ? '' : 'as '}source${rest}`;
  // SQL Server allows WITH only at the very beginning: the query itself becomes one of its parts.
  const at = dialect === 'mssql' ? mainSelect(withoutQuoted(text, dialect) ?? '') : 0;
  return at > 0
    ? `${text.slice(0, at).trimEnd()}, source as (${text.slice(at)}\n) select ${columns} from source${rest}`
    : plain(text);
}

/** A carriage return alone ends a comment for some servers and not for others: it is refused. */
function oneLineEnd(query: string): string {
  return query.replace(/\r\n?/g, '\n');
}

/** The query in a form that can be put in brackets: without semicolon and trailing comments. */
function withoutEnd(query: string, dialect: Dialect): string {
  const bare = withoutQuoted(query, dialect) ?? query;
  const end = /;\s*$/.exec(bare);
  return (end ? query.slice(0, end.index) : query).trim();
}

/** Why SQL Server does not accept the query in brackets; null = it does. */
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

/** The text with the content of brackets blanked; every character keeps its position. */
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

/** The first comment that MySQL or MariaDB would execute, or null. */
function commandComment(query: string): string | null {
  let found: string | null = null;
  skip(query, 'mysql', (text) => {
    found ??= /^\/\*(?:M?!|\+)/i.exec(text)?.[0] ?? null;
    return '';
  });
  return found;
}

/**
 * The text with strings, quoted names and comments blanked, each character at its position; null if one of them is not
 * closed.
 */
function withoutQuoted(query: string, dialect: Dialect): string | null {
  return skip(query, dialect, (text) =>
    isName(text, dialect) ? `"${'n'.repeat(text.length - 2)}"` : ' '.repeat(text.length),
  );
}

function isName(text: string, dialect: Dialect): boolean {
  return text.startsWith('`') || text.startsWith('[') || (text.startsWith('"') && dialect !== 'mysql');
}

/** The text with each string, quoted name and comment replaced by `instead`; null if one of them is not closed. */
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
