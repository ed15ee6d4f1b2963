import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import { paperPicture } from '../files/pictures.ts';
import type { FileStore } from '../files/store.ts';
import type { ChartPrint } from './chart_paper.ts';
import { loadEnclosed } from './enclosed.ts';
import type { EnclosingContent, LoadedContent, Picture, PrintContent } from './print_content.ts';
import { withPictures } from './print_content.ts';

export interface Printing {
  /**
   * The PDF of a content; the same content gives the same bytes.
   * @throws AppError 503 if the queue is full, 422 `print_too_long` if a document takes more than a minute
   */
  pdf(tenant: Tenant, content: EnclosingContent): Promise<Buffer>;
  /** The PDF of an organisation chart. @throws AppError as for other prints, and 422 if it has too many pages */
  chart(chart: ChartPrint): Promise<Buffer>;
  close(): Promise<void>;
}

/** A thread uses 100 MB or more: as many as there are processors, up to a few. */
const THREADS = Math.min(4, availableParallelism());
/** It ends after this idle time. */
const IDLE_MS = 30_000;
const MAX_MS = 60_000;
/** The maximum queue length; later requests are asked to retry. */
const MAX_WAITING = 200;

/** Renders documents in separate threads, so that no request waits for them. */
export function createPrinting(files: FileStore): Printing {
  const threads = new Piscina<LoadedContent | ChartPrint, Uint8Array | { refused: string }>({
    filename: new URL('./print_worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
  });

  /** A stored picture in the form the layout needs; an unreadable one is left out. */
  async function read(tenant: Tenant, picture: Picture): Promise<string | null> {
    if (typeof picture === 'string') return picture;
    try {
      const { path } = await files.open(tenant, picture);
      return await paperPicture(path);
    } catch {
      return null;
    }
  }

  async function laidOut(task: LoadedContent | ChartPrint, name: 'default' | 'layOutChart'): Promise<Buffer> {
    const limit = AbortSignal.timeout(MAX_MS);
    try {
      const made = await threads.run(task, { signal: limit, name });
      if ('refused' in made) throw new AppError(422, 'print_too_long', made.refused);
      return Buffer.from(made);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new AppError(422, 'print_too_long', 'This print takes too long. Print fewer rows at a time.');
    }
  }

  /** A content with its pictures and files. */
  async function loaded(tenant: Tenant, { enclosed, ...content }: EnclosingContent): Promise<LoadedContent> {
    const withOwn = (one: PrintContent) => withPictures(one, (picture) => read(tenant, picture));
    const own: LoadedContent = await withOwn(content);
    if (enclosed === undefined) return own;
    own.enclosed = [];
    for (const one of await loadEnclosed(files, tenant, content, enclosed))
      own.enclosed.push('content' in one ? { ...one, content: await withOwn(one.content) } : one);
    return own;
  }

  // Limited here, because the threads' own limit does not apply to cancellable calls.
  let asked = 0;
  async function inTurn(work: () => Promise<Buffer>): Promise<Buffer> {
    if (asked >= MAX_WAITING + THREADS)
      throw new AppError(503, 'busy', 'Many documents are being printed now. Try again in a minute.');
    asked++;
    try {
      return await work();
    } finally {
      asked--;
    }
  }

  return {
    pdf: (tenant, content) => inTurn(async () => laidOut(await loaded(tenant, content), 'default')),
    chart: (chart) => inTurn(() => laidOut(chart, 'layOutChart')),
    close: () => threads.destroy(),
  };
}
