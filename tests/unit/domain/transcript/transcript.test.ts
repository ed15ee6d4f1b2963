import { describe, expect, it } from 'vitest';
import { cleanUp, speechSeconds } from '../../../../src/domain/transcript/clean_up.ts';
import { clock } from '../../../../src/domain/transcript/segment.ts';
import type { Heard } from '../../../../src/domain/transcript/segment.ts';
import { readSubtitles, writeSrt } from '../../../../src/domain/transcript/subtitles.ts';

const heard = (...texts: string[]): Heard[] =>
  texts.map((text, at) => ({ startMs: at * 1000, endMs: (at + 1) * 1000, text }));

describe('clean-up', () => {
  it('removes repetitions of an engine, and keeps those of speakers', () => {
    const { segments, removed } = cleanUp(
      heard('Good morning.', 'Thank you.', 'Thank you.', 'Thank you.', 'Thank you.', 'Lift 4 is down.', 'Yes.', 'Yes.'),
    );
    expect(segments.map(({ text }) => text)).toEqual([
      'Good morning.',
      'Thank you. (repeated 4)',
      'Lift 4 is down.',
      'Yes.',
      'Yes.',
    ]);
    expect(removed).toBe(3);
    expect(segments[1]).toMatchObject({ flag: 'repeated', startMs: 1000, endMs: 5000 });
  });

  it.each([
    [0.61, -1.01, false],
    [0.6, -1.01, true],
    [0.61, -1.0, true],
    [0.99, -0.2, true],
    [0.1, -3, true],
  ])('a line with no-speech %d and mean log %d stays: %s', (noSpeech, meanLog, stays) => {
    expect(
      cleanUp([{ startMs: 0, endMs: 900, text: 'Thanks for watching.', noSpeech, meanLog }]).segments.length === 1,
    ).toBe(stays);
  });

  it('words in silence between repetitions do not separate them', () => {
    const lines = heard('Thank you.', 'Thank you.', 'Hm', 'Thank you.');
    lines[2] = { ...lines[2]!, noSpeech: 0.9, meanLog: -2 };
    expect(cleanUp(lines)).toMatchObject({ segments: [{ text: 'Thank you. (repeated 3)' }], removed: 3 });
  });

  it('the same words by another speaker are no repetition; an empty text stays empty', () => {
    expect(
      cleanUp(heard('Yes.', 'Yes.', 'Yes.').map((line, at) => ({ ...line, speaker: at === 1 ? 'B' : 'A' }))).segments,
    ).toHaveLength(3);
    expect(cleanUp([{ startMs: 0, endMs: 1, text: ' ', noSpeech: 1, meanLog: -4 }])).toEqual({
      segments: [],
      removed: 1,
    });
  });

  it('marks uncertain lines; counts overlapping speech once', () => {
    expect(cleanUp([{ startMs: 0, endMs: 1000, text: 'Maybe', meanLog: -0.9 }]).segments[0]).toMatchObject({
      flag: 'low',
      confidence: 0.41,
    });
    expect(
      speechSeconds([
        { startMs: 0, endMs: 4000 },
        { startMs: 2000, endMs: 5000 },
        { startMs: 10_000, endMs: 11_000 },
      ]),
    ).toBe(6);
  });
});

describe('files', () => {
  it('reads and writes SubRip with speakers', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,500 --> 00:00:04,000\r\nAsha Rao: Good morning.\r\n\r\n2\r\n01:02:05,000 --> 01:02:06,250\r\n<i>Lift 4</i>\r\nis down.\r\n';
    const lines = readSubtitles(srt, 'a.srt');
    expect(lines).toEqual([
      { startMs: 1500, endMs: 4000, speaker: 'Asha Rao', text: 'Good morning.' },
      { startMs: 3_725_000, endMs: 3_726_250, speaker: null, text: 'Lift 4 is down.' },
    ]);
    const { segments } = cleanUp(lines);
    expect(writeSrt(segments)).toBe(
      '1\n00:00:01,500 --> 00:00:04,000\nAsha Rao: Good morning.\n\n2\n01:02:05,000 --> 01:02:06,250\nLift 4 is down.\n',
    );
    expect(readSubtitles(writeSrt(segments), 'b.srt')).toEqual(lines);
    expect(clock(3_725_000)).toBe('1:02:05');
  });

  it('reads WebVTT with voices, notes and settings', () => {
    const vtt =
      'WEBVTT\n\nNOTE made by hand\n\nintro\n00:01.000 --> 00:02.500 align:start\n<v Ravi Kumar>The rope &amp; the drive.\n';
    expect(readSubtitles(vtt, 'a.vtt')).toEqual([
      { startMs: 1000, endMs: 2500, speaker: 'Ravi Kumar', text: 'The rope & the drive.' },
    ]);
  });

  it('reads plain text, one line each', () => {
    expect(readSubtitles('Asha: Hello.\n\nWe begin at 9:30 today.', 'a.txt')).toEqual([
      { startMs: 0, endMs: 4000, speaker: 'Asha', text: 'Hello.' },
      { startMs: 4000, endMs: 8000, speaker: null, text: 'We begin at 9:30 today.' },
    ]);
  });

  it('reports errors', () => {
    expect(() => readSubtitles('hello', 'a.srt')).toThrow('The file has no times.');
    expect(() => readSubtitles('1\n00:00:xx --> 00:00:02,000\nx', 'a.srt')).toThrow('Line 2: the times are not right.');
    expect(() => readSubtitles('1\n00:00:05,000 --> 00:00:02,000\nx', 'a.srt')).toThrow(
      'Line 2: it ends before it begins.',
    );
    expect(() => readSubtitles('\n\n', 'a.txt')).toThrow('no text in it');
  });
});
