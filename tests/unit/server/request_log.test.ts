import { expect, test } from 'vitest';
import { maskAddress } from '../../../src/server/services/network/masked_address.ts';

test.each([
  ['/update_refresh_token/eyJhbGciOi.x.y', '/update_refresh_token/***'],
  ['/api/update_refresh_token/eyJ?x=1', '/api/update_refresh_token/***?x=1'],
  ['/update_users_device_logout/7?device_token=fcm:cD1', '/update_users_device_logout/7?device_token=***'],
  ['/files/eyJzY2hlbWEiOiJjbXBfeCJ9.QUJDREVGRw', '/files/***'],
  ['/tapi/branch?q=token', '/tapi/branch?q=token'],
])('%s is logged as %s', (url, kept) => {
  expect(maskAddress(url)).toBe(kept);
});
