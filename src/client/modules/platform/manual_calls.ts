import { api } from '../../api/http.ts';

export interface Manual {
  id: number;
  batch_value: string;
  version_no: number;
  title: string;
  summary: string | null;
  state: 'draft' | 'review' | 'published' | 'superseded' | 'withdrawn';
  published_on: string | null;
  chapters?: number;
}

export interface Chapter {
  id: number;
  sequence_no: number;
  heading: string;
  screen_code: string | null;
  body: string;
  video: string | null;
  useful: boolean | null;
  remark: string | null;
}

export interface ManualView {
  manual: Manual;
  chapters: Chapter[];
  /** Number and version of a newer published manual. */
  newer: string | null;
  versions: { batch_value: string; version_no: number; state: Manual['state'] }[];
  may_write: boolean;
  /** Whether readers are asked if a chapter was useful. */
  asks_readers: boolean;
}

export interface Library {
  manuals: Manual[];
  found: { chapter_id: number; heading: string; excerpt: string; batch_value: string; manual: string }[];
}

export interface ManualReport {
  without: { type: string; title: string; screen_code: string; route: string }[];
  not_useful: {
    chapter_id: number;
    heading: string;
    batch_value: string;
    manual: string;
    useful: number;
    not_useful: number;
    remarks: string[];
  }[];
  /** Chapters of published manuals, most read first. */
  read: { chapter_id: number; heading: string; batch_value: string; manual: string; reads: number }[];
  described: number;
}

/** The address of a picture in a chapter, for people who may read it. */
export async function chapterPicture(chapter: number, file: number): Promise<string> {
  return (
    await api.get<{ url: string }>(`/tapi/manual/chapters/${chapter}/files/${file}/link`, undefined, { quiet: true })
  ).url;
}

/** The address of a chapter's page. */
export function chapterAddress(batch: string, chapter: number): string {
  return `/usermanual_view/${encodeURIComponent(batch)}?chapter=${chapter}`;
}

/** Chapters with every word in their heading or text. */
export function chaptersWith(chapters: Chapter[], search: string): Chapter[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return chapters.filter(({ heading, body }) => {
    const text = `${heading} ${body}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
