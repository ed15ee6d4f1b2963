import { describe, expect, test } from 'vitest';
import { utils, write } from 'xlsx';
import { contentType } from '../../../../src/server/services/files/content_type.ts';

const bytes = (...parts: (number[] | string)[]) =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
    Buffer.alloc(64),
  ]);
const film = (brand: string) => bytes([0, 0, 0, 24], `ftyp${brand}`, [0, 0, 0, 0], 'isomiso2');
const workbook = (bookType: 'xlsx' | 'ods' | 'biff8') => {
  const book = utils.book_new(utils.aoa_to_sheet([['Code', 'Name']]));
  return write(book, { type: 'buffer', bookType }) as Buffer;
};

describe('the type of a file', () => {
  test.each([
    [
      'a workbook, whatever it is called',
      workbook('xlsx'),
      'list.zip',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    ['a sheet of LibreOffice', workbook('ods'), 'list.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
    ['a workbook of old', workbook('biff8'), 'list.xls', 'application/vnd.ms-excel'],
    ['a film', film('isom'), 'visit.mp4', 'video/mp4'],
    ['sound of a telephone, written as a film', film('isom'), 'call.m4a', 'audio/mp4'],
    ['sound', film('M4A '), 'call.mp4', 'audio/mp4'],
    ['sound of low quality', bytes([0xff, 0xf3, 0x90, 0x44]), 'call.mp3', 'audio/mpeg'],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'page.html', 'text/plain'],
    ['a drawing with scripts', Buffer.from('<?xml version="1.0"?><svg/>'), 'logo.svg', 'text/plain'],
    ['a table', Buffer.from('Code,Name'), 'list.csv', 'text/csv'],
    ['a text whose name ends like a word of JavaScript', Buffer.from('Code'), 'a.constructor', 'text/plain'],
  ])('%s', async (_, content, name, type) => {
    expect(await contentType(content, name)).toBe(type);
  });

  test.each([
    ['a picture that browsers do not show', film('heic'), 'photo.heic'],
    ['a program', bytes([0x4d, 0x5a, 0x90, 0, 3, 0]), 'tool.pdf'],
    ['another container of old Office documents', workbook('biff8'), 'setup.msi'],
  ])('%s is not accepted', async (_, content, name) => {
    expect(await contentType(content, name)).toBeNull();
  });
});
