import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

/** Few bytes of a picture of 400 × 300 in WebP, all red. */
const WEBP =
  'UklGRkYBAABXRUJQVlA4IDoBAABwHQCdASqQASwBPtFosVMoJiSioCgBABoJaW7hd1s+7AAABPYB77ZOQ99snIe+2UVsi67anCC+taaF8977ZOQ99snIe+2UDLxcnIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPoX0u14uTkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbMZae2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyIgeTkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtzL9PbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5H/PJyHvtk5D32xwAAP7/lAn/16ou4j7//8Q5+BX6VsQxotCo6Nu8BaFR0bd4C0Kjo1hR4oAVQ7ahAJoVIAQDQHbUIBNCpACAaA7ahAJoUAAAAA==';

/** A picture that does not press together: every pixel another. */
async function noise(width: number, height: number, type: 'image/jpeg' | 'image/png'): Promise<Buffer> {
  const channels = type === 'image/jpeg' ? 3 : 4;
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0, seed = 7; at < pixels.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[at] = (seed >>> 16) & 255;
  }
  const picture = sharp(pixels, { raw: { width, height, channels } });
  return type === 'image/jpeg' ? picture.jpeg({ quality: 90 }).toBuffer() : picture.png().toBuffer();
}

/** A PNG of grey pixels with a head that says what it likes. */
function pngOf(width: number, height: number, content: Buffer, interlaced = false): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, interlaced ? 1 : 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(content)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function stored(name: string, content: Buffer, target = 'employee.photo', caller = admin): Promise<number> {
  const { payload, headers } = upload(name, content);
  const answer = await caller.call('POST', `/tapi/files?for=${target}`, payload, headers);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
}
const link = (id: number, caller = admin, size = '?size=small') => caller.call('GET', `/tapi/files/${id}/link${size}`);
async function shown(id: number, caller = admin) {
  const answer = await link(id, caller);
  expect(answer.statusCode, answer.body).toBe(200);
  const opened = await world.inject({
    method: 'GET',
    url: answer.json<{ url: string }>().url,
    headers: { host: acme.host },
  });
  expect(opened.statusCode, opened.body).toBe(200);
  return { bytes: opened.rawPayload, headers: opened.headers, size: await sharp(opened.rawPayload).metadata() };
}
const said = async (id: number) => {
  const answer = await link(id);
  return [answer.statusCode, answer.json<{ error: { message: string } }>().error.message];
};

test('pictures have thumbnails: at most 256 pixels a side and 48 kB, with the original unchanged', async () => {
  const photo = await noise(900, 600, 'image/jpeg');
  expect(photo.length).toBeGreaterThan(200_000);
  const id = await stored('me.jpg', photo);
  // Two pages ask at the same moment.
  const [small, again] = await Promise.all([shown(id), shown(id)]);
  expect(small.size).toMatchObject({ format: 'jpeg', width: 256, height: 171 });
  expect(small.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'private, max-age=60',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  expect(small.bytes.length).toBeLessThanOrEqual(48 * 1024);
  expect(again.bytes.equals(small.bytes)).toBe(true);
  const whole = await world.inject({
    method: 'GET',
    url: (await link(id, admin, '')).json<{ url: string }>().url,
    headers: { host: acme.host },
  });
  expect(whole.rawPayload.equals(photo)).toBe(true);
  expect((await link(id, admin, '?size=huge')).statusCode).toBe(400);

  // A camera that was held upright says so beside the picture, and it is turned.
  const lying = await noise(300, 200, 'image/jpeg');
  const upright = Buffer.concat([
    lying.subarray(0, 2),
    Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000600000000000000', 'hex'),
    lying.subarray(2),
  ]);
  expect((await shown(await stored('upright.jpg', upright))).size).toMatchObject({ width: 171, height: 256 });

  // What shines through stays so, and is made smaller still when it is too many bytes.
  const clear = await shown(await stored('clear.png', await noise(300, 500, 'image/png')));
  expect(clear.size.format).toBe('png');
  expect(clear.size.height).toBeLessThanOrEqual(256);
  expect(clear.bytes.length).toBeLessThanOrEqual(48 * 1024);
  const webp = await shown(await stored('red.webp', Buffer.from(WEBP, 'base64')));
  expect(webp.size).toMatchObject({ format: 'jpeg', width: 256, height: 192 });
  const pixels = await sharp(webp.bytes).raw().toBuffer();
  expect(pixels[0]).toBeGreaterThan(180);
  expect(pixels[1]).toBeLessThan(60);
  const laced = await shown(await stored('laced.png', pngOf(300, 300, Buffer.alloc(300 * 300 + 563), true)));
  expect(laced.size.width).toBe(256);

  // What is small already is itself.
  const tiny = pngOf(2, 2, Buffer.alloc(6));
  expect((await shown(await stored('dot.png', tiny))).bytes.equals(tiny)).toBe(true);
});

test('a person who may not see a picture cannot see its thumbnail; a forged address opens nothing', async () => {
  const photo = await noise(300, 300, 'image/jpeg');
  const id = await stored('plan.jpg', photo, 'branch.letterhead');
  await acme.user('elsewhere', { isAdmin: true, companies: [{ company: 2 }] });
  await acme.user('nobody', {
    companies: [
      { company: 1, roles: [await acme.role({ modules: ['MASTERS'], screens: { SCN_DEPARTMENT: ['landing'] } })] },
    ],
  });
  const beta = await world.tenant();
  await beta.user('admin', { isAdmin: true });
  for (const caller of [
    await world.signIn(acme, 'elsewhere'),
    await world.signIn(acme, 'nobody'),
    await world.signIn(beta, 'admin'),
  ])
    expect((await link(id, caller)).statusCode).toBe(404);
  expect(
    (await world.inject({ method: 'GET', url: `/tapi/files/${id}/link?size=small`, headers: { host: acme.host } }))
      .statusCode,
  ).toBe(401);
  const { url } = (await link(id)).json<{ url: string }>();
  const [payload = '', signature = ''] = url.slice('/files/'.length).split('.');
  const { small: _small, ...ticket } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { small: boolean };
  expect(_small).toBe(true);
  const forged = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  expect(
    (await world.inject({ method: 'GET', url: `/files/${forged}.${signature}`, headers: { host: acme.host } }))
      .statusCode,
  ).toBe(404);
});

test('a broken picture, one that unpacks to too much, and a file that is no picture are refused with a message', async () => {
  const broken = 'This picture cannot be read. Save it again as PNG, JPEG or WebP and upload that.';
  const photo = await noise(300, 300, 'image/png');
  const torn = await stored('torn.png', photo.subarray(0, photo.length / 2));
  expect(await said(torn)).toEqual([422, broken]);
  expect(await said(torn)).toEqual([422, broken]);
  expect(await said(await stored('head.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2])))).toEqual([
    422,
    broken,
  ]);
  const bomb = pngOf(20_000, 20_000, Buffer.alloc(1_000_000));
  const huge = 'This picture has 400 megapixels; at most 40 can be shown. Reduce its size and upload it again.';
  expect(await said(await stored('bomb.png', bomb, 'employee.documents.file'))).toEqual([422, huge]);
  const { payload, headers } = upload('bomb.png', bomb);
  const refused = await admin.call('POST', '/tapi/files?for=employee.photo', payload, headers);
  expect([refused.statusCode, refused.json<{ error: { message: string } }>().error.message]).toEqual([422, huge]);
  // What a file holds beyond the pixels of its first head is not unpacked.
  const overfull = pngOf(300, 300, Buffer.alloc(60_000_000), true);
  expect(overfull.length).toBeLessThan(80_000);
  expect((await shown(await stored('overfull.png', overfull))).size.width).toBe(256);
  const plain = pngOf(300, 300, Buffer.alloc(301 * 300));
  const second = pngOf(9_000, 9_000, Buffer.alloc(9)).subarray(8);
  const heads = await stored('heads.png', Buffer.concat([plain.subarray(0, -12), second]));
  expect((await shown(heads)).size.width).toBe(256);
  const replaced = await stored('replaced.png', Buffer.concat([plain.subarray(0, 33), second]));
  expect(await said(replaced)).toEqual([422, broken]);
  expect(await said(await stored('plan.txt', Buffer.from('A plan.'), 'employee.documents.file'))).toEqual([
    415,
    'This file is not a picture; open it as it is.',
  ]);
  // It goes on with others.
  expect((await shown(await stored('next.jpg', await noise(400, 300, 'image/jpeg')))).size.width).toBe(256);
});
