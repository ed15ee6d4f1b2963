import { expect, it, onTestFinished } from 'vitest';
import type { Tenant } from '../../../../src/server/db/tenant.ts';
import type { FileStore } from '../../../../src/server/services/files/store.ts';
import { createPrinting } from '../../../../src/server/services/print/printing.ts';
import layOut from '../../../../src/server/services/print/print_worker.ts';
import type { PrintContent } from '../../../../src/server/services/print/print_content.ts';

it('concurrent prints have the same bytes as single ones; beyond the queue’s limit one is asked to try again', async () => {
  const printing = createPrinting({} as FileStore);
  onTestFinished(() => printing.close());
  const slip: PrintContent = {
    title: 'Slip',
    paper: 'A6',
    landscape: false,
    at: '2026-04-01T00:00:00Z',
    watermark: null,
    foot: 'Slip 1',
    blocks: [{ kind: 'text', text: 'Rope ₹5', bold: false, align: 'left' }],
  };
  const asked = Array.from({ length: 260 }, () => printing.pdf({} as Tenant, slip));
  const answers = await Promise.allSettled(asked);
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.toString('base64') : []));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? (answer.reason as object) : []));
  expect(new Set(made)).toEqual(new Set([Buffer.from(await layOut(slip)).toString('base64')]));
  expect([made.length >= 200, refused.length > 50]).toEqual([true, true]);
  for (const error of refused) expect(error).toMatchObject({ status: 503, code: 'busy' });
}, 60_000);
