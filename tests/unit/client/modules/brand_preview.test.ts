import { describe, expect, it } from 'vitest';
import { productBrand } from '../../../../src/client/app/brand.ts';
import { brandOf } from '../../../../src/client/modules/platform/BrandPreviewPage.tsx';

describe('the preview of a brand', () => {
  const base = { ...productBrand, title: 'Platform', logo: '/base.png' };

  it('applies the entered values over the underlying ones', () => {
    expect(
      brandOf(
        {
          title: 'Acme',
          primary_color: '#8a1538',
          links: [
            { name: 'Shop', url: 'https://acme.in' },
            { name: 'Half', url: null },
          ],
        },
        base,
        { logo: null, icon: '/icon.png' },
      ),
    ).toMatchObject({
      title: 'Acme',
      primary: '#8a1538',
      logo: '/base.png',
      favicon: '/icon.png',
      links: [{ name: 'Shop', url: 'https://acme.in' }],
    });
  });

  it('keeps the underlying colour while one is incomplete, and the underlying words where nothing is entered', () => {
    expect(
      brandOf({ title: '', primary_color: '#8a1' }, { ...base, primary: '#0b6a4f' }, { logo: '/new.png', icon: null }),
    ).toMatchObject({ title: 'Platform', primary: '#0b6a4f', logo: '/new.png' });
  });
});
