/** A segment of recorded speech as text. */
export interface Segment {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
  /** 0 to 1, from the engine; null = unknown. */
  confidence: number | null;
  flag: 'none' | 'repeated' | 'low' | 'edited';
}

/** An engine's raw segment, before clean-up. */
export interface Heard {
  startMs: number;
  endMs: number;
  text: string;
  speaker?: string | null;
  /** Probability of silence. */
  noSpeech?: number | null;
  /** Mean log-probability of the words. */
  meanLog?: number | null;
}

/** `1:02:05` or `2:05`, for people. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** A stored segment: a line of a transcription on the wire and on the page. */
export interface TextLine {
  id: number;
  start_ms: number;
  end_ms: number;
  speaker: string | null;
  text: string;
  confidence: number | null;
  flag: Segment['flag'];
}
