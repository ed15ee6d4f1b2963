import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../../src/server/platform/sync/one_select.ts';
import { notOneSelect, readingFrom } from '../../../../src/server/platform/sync/one_select.ts';

const ALL: Dialect[] = ['postgres', 'mysql', 'mssql', 'oracle'];
const SECOND = 'Only one statement is allowed here.';
const OPEN = 'A quotation mark or a comment is not closed.';
const only = (word: string) => `The query may only read: take out ${word}.`;

describe.each(ALL)('%s', (dialect) => {
  it.each([
    'select 1',
    'SELECT a, b FROM t WHERE a = 1;',
    "select 'a; delete from b' as c from t -- for update; drop",
    'select a /* ; insert into */ from t',
    'with x as (select 1 as a) select a from x',
    "select 'it''s; so' as a from t",
    'select deleted, updated_at, inserted_by from t',
  ])('takes %s', (query) => {
    expect(notOneSelect(query, dialect)).toBeNull();
  });

  it.each([
    ['', 'Enter one SELECT.'],
    [' -- only words', 'Enter one SELECT.'],
    ['delete from t', 'The query must begin with SELECT.'],
    ['select 1; drop table t', SECOND],
    ["select 'a'; drop table t -- '", SECOND],
    ['select 1 /* */; drop table t', SECOND],
    ["select 'a''; drop table t", OPEN],
    ['select 1 /* open', OPEN],
    ["select 'open", OPEN],
    ['select * into copy from t', only('INTO')],
    ['select * from t for update', only('UPDATE')],
    ['with gone as (delete from t) select 1', only('DELETE')],
    ['select 1) as x, (select 2', 'The brackets of the query do not match.'],
    ['select 1) as x; drop table t; select (1', SECOND],
    ['select (1', 'The brackets of the query do not match.'],
    // What one server takes as the end of a line ends a comment there, and hides a statement from who does not.
    ['select 1 --\r; drop table t', SECOND],
    [
      'select 1 --\u2028; drop table t',
      'The query contains an invisible character. Type the query instead of pasting it.',
    ],
    ['select 1 --\f; drop table t', 'The query contains an invisible character. Type the query instead of pasting it.'],
  ])('refuses %s', (query, message) => {
    expect(notOneSelect(query, dialect)).toBe(message);
  });
});

describe('PostgreSQL', () => {
  it.each([
    'select $$a; drop$$',
    'select $tag$ $$; drop $tag$ as a',
    "select E'it\\'s; drop' as a",
    'select 1 /* a /* b */ ; c */',
    'select "a;b" from t',
    'values (1)',
    'table stock',
  ])('takes %s', (query) => expect(notOneSelect(query, 'postgres')).toBeNull());
  it.each([
    ["select 'a\\'; drop table t --'", SECOND],
    // A dollar within a name opens nothing.
    ['select 1 as a$b$; drop table t; select 1 as a$b$', SECOND],
    ["select typee'a\\'; drop table t --'", SECOND],
    ['select 1 /* /* */; drop table t', OPEN],
    ['select $a$ open', OPEN],
  ])('refuses %s', (query, message) => expect(notOneSelect(query, 'postgres')).toBe(message));
});

describe('MySQL', () => {
  it.each([
    "select 'it\\'s; so' as a",
    'select "a; drop" as a',
    'select `a;b` from t',
    'select `a``;b` from t',
    'select 1 # ; drop table t',
    'select 5--2 as a',
    'select 1 -- \n from t',
  ])('takes %s', (query) => expect(notOneSelect(query, 'mysql')).toBeNull());
  it.each([
    // Without a blank behind them two dashes are no comment.
    ['select 5--2; drop table t', SECOND],
    ['select 5--\u00a01; drop table t', SECOND],
    ["select 'a\\\\'; drop table t -- '", SECOND],
    ['select "a\\"; drop table t', OPEN],
    ['select `a\\`; drop table t -- `', SECOND],
    // Comments hold no comments: the first end ends them.
    ['select 1 /* /* */; drop table t /* */ */', SECOND],
    ['select 1 # open\n; drop table t', SECOND],
    ['select 1 /*! ; drop table t */', 'Remove the comment that begins with /*!: the server would execute it.'],
    ['select 1 /*!50000 union select 2 */', 'Remove the comment that begins with /*!: the server would execute it.'],
    ['select 1 /*M!100100 ; drop table t */', 'Remove the comment that begins with /*M!: the server would execute it.'],
    [
      'select /*+ SET_VAR(max_execution_time = 0) */ 1',
      'Remove the comment that begins with /*+: the server would execute it.',
    ],
    ["select * from t into outfile '/tmp/x'", only('INTO')],
    ['select 1 into @a', only('INTO')],
    ['select * from t lock in share mode', only('LOCK IN SHARE')],
    ["select load_file('/etc/passwd')", only('LOAD_FILE')],
  ])('refuses %s', (query, message) => expect(notOneSelect(query, 'mysql')).toBe(message));
  it('a keyword inside a text is ignored', () => expect(notOneSelect("select '/*! no */' as a", 'mysql')).toBeNull());
});

describe('SQL Server', () => {
  it.each([
    'select [a;b], [update] from [t]]; drop] -- x',
    'select top 10 a from t order by a',
    'select a from t order by a offset 0 rows',
    'select "a;b" from t',
    'with a as (select 1 as x), [b c] (y) as (select 2) select * from a',
    'select a from t with (nolock)',
    'select 1 /* a /* b */ ; c */ as x',
    'select row_number() over (order by a) as n from t',
    "select N'a; drop' as a",
  ])('takes %s', (query) => expect(notOneSelect(query, 'mssql')).toBeNull());
  it.each([
    // Statements need no mark between them.
    ['select 1 as a drop table t', only('DROP')],
    ['select 1 as a delete t', only('DELETE')],
    ['select 1 as a exec xp_cmdshell', only('EXEC')],
    ["select 'a\\' exec('drop table t') --'", only('EXEC')],
    ['select [a]]] exec x', only('EXEC')],
    ['select [a] ] exec x --]', only('EXEC')],
    ['select 1 as a\ncommit', only('COMMIT')],
    ["select * from openquery(other, 'delete from t')", only('OPENQUERY')],
    ["select * from openrowset(bulk 'c:\\x', single_clob) as x", only('BULK')],
    ['select next value for seq as n', only('VALUE')],
    ['select * from t with (updlock)', only('UPDLOCK')],
    ['with a as (select 1 as x) update a set x = 2 select 1', only('UPDATE')],
    [
      "with xmlnamespaces (default 'x') select 1",
      'What stands before SELECT cannot be read. Write WITH name AS (…), … SELECT ….',
    ],
    [
      'select a from t order by a',
      'SQL Server does not sort here: take out ORDER BY, or write OFFSET 0 ROWS behind it.',
    ],
    ['select a from t option (maxdop 1)', only('OPTION')],
    ['select [open', OPEN],
  ])('refuses %s', (query, message) => expect(notOneSelect(query, 'mssql')).toBe(message));
});

describe('Oracle', () => {
  it.each([
    "select q'[it's; so]' as a from dual",
    "select nq'{it's; so}' as a from dual",
    "select Q'!it's; so!' as a from dual",
    'select "a;b" from t',
    'select /*+ full(t) */ a from t',
    'select a from t order by a',
    "select a from t where b = 'x\\'",
  ])('takes %s', (query) => expect(notOneSelect(query, 'oracle')).toBeNull());
  it.each([
    ["select q'[a]'; drop table t --]'", SECOND],
    ["select q'[a] ' ; drop", OPEN],
    ["select xq'[a'; drop table t --]'", SECOND],
    ["select 'a\\'; drop table t --'", SECOND],
    ['with function f return number is begin return 1; end; select f from dual', SECOND],
    ['with function f return number as language x select f from dual', only('FUNCTION')],
    ['begin null end', 'The query must begin with SELECT.'],
    ["select q' a' from dual", OPEN],
  ])('refuses %s', (query, message) => expect(notOneSelect(query, 'oracle')).toBe(message));
});

describe('a nested query', () => {
  it('is wrapped in brackets, without its terminator', () => {
    expect(readingFrom('select 1;', 'postgres', '*', ' limit 0')).toBe('select * from (select 1\n) as source limit 0');
    expect(readingFrom('select 1 -- a; b\n; -- done', 'mysql', '*')).toBe(
      'select * from (select 1 -- a; b\n) as source',
    );
    expect(readingFrom('select 1 from dual -- a', 'oracle', '"A"')).toBe(
      'select "A" from (select 1 from dual -- a\n) source',
    );
    expect(readingFrom("select ';' as a", 'mssql', 'top 0 *')).toBe(
      "select top 0 * from (select ';' as a\n) as source",
    );
  });
  it('goes on behind WITH where SQL Server wants that', () => {
    expect(readingFrom('with a as (select 1 as x) select x from a;', 'mssql', 'top 0 *')).toBe(
      'with a as (select 1 as x), source as (select x from a\n) select top 0 * from source',
    );
    expect(readingFrom('with a as (select 1 as x) select x from a', 'mysql', '*')).toBe(
      'select * from (with a as (select 1 as x) select x from a\n) as source',
    );
  });
});
