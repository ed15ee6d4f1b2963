import { describe, expect, it } from 'vitest';
import { fontRuns } from '../../../../src/server/platform/transcription/pdf_fonts.ts';

const scripts = (text: string) =>
  fontRuns(text)?.map(({ script, text: part }) => `${script ?? 'latin'}:${part}`) ?? null;

describe('fontRuns', () => {
  it('keeps what one font can write together, spaces and the end of a sentence with what stands before', () => {
    expect(scripts('Asha: लिफ्ट बंद है। Call 4')).toEqual(['latin:Asha: ', 'devanagari:लिफ्ट बंद है। ', 'latin:Call 4']);
    expect(scripts('লিফট বন্ধ।')).toEqual(['bengali:লিফট বন্ধ।']);
    expect(scripts('ക്‍ഷ')).toEqual(['malayalam:ക്‍ഷ']);
    expect(scripts('')).toEqual([]);
  });

  it('says when there is a letter that no font has', () => {
    expect(scripts('lift 朝')).toBeNull();
    expect(scripts('लिफ्ट 🙂')).toBeNull();
  });
});
