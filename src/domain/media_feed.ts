/** A media item as its readers see it. */
export interface MediaItem {
  id: number;
  kind: string;
  title: string;
  /** The first words of its text. */
  excerpt: string;
  /** Address of the picture. */
  cover: string | null;
  url: string | null;
  tags: string[];
  publish_from: string;
  pinned: boolean;
  must_acknowledge: boolean;
  /** By the reader. */
  acknowledged: boolean;
}

export type MediaLayout = 'carousel' | 'cards' | 'list' | 'gallery';

export interface MediaSection {
  title: string;
  layout: MediaLayout;
  items: MediaItem[];
}

export interface MediaFeed {
  sections: MediaSection[];
  /** Unread mandatory items. */
  to_read: MediaItem[];
}

/** One item, whole. */
export interface MediaText extends MediaItem {
  body: string | null;
  files: { name: string; caption: string | null; url: string }[];
}
