import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

/** A port of this machine behind which somebody else's server is. */
export interface CuttingDoor {
  port: number;
  /** Cuts the connection after so many bytes have been answered; null = never. */
  cutAfter(bytes: number | null): void;
  close(): Promise<void>;
}

/** Lets connections through to where `dial` leads, until it is told to cut them. */
export async function openDoor(dial: () => Socket): Promise<CuttingDoor> {
  let left: number | null = null;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial();
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (bytes: Buffer) => {
      if (left !== null && (left -= bytes.length) < 0) near.destroy();
      else if (!near.write(bytes)) {
        far.pause();
        near.once('drain', () => far.resume());
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    cutAfter(bytes) {
      left = bytes;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
