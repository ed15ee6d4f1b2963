import { expect, test } from 'vitest';
import { DESK, PHONE, openBrowser, picture, signIn, visit } from './browser.ts';

// Formatted text in a browser that lays out, selects and pastes; what is kept of it is shown by tests/unit/client/runtime/fields.

openBrowser();

test.each([
  ['a desk', DESK],
  ['a phone', PHONE],
])('formatted text is typed, formatted, linked, pasted, undone and read back on %s', async (_, size) => {
  const { page, complaints } = await visit(size);
  await signIn(page, 'admin', '/media/add');
  const title = `Rules of the lifts, ${size.width}`;
  await page.getByRole('textbox', { name: /^Title/ }).fill(title);
  const area = page.getByRole('textbox', { name: /^Text/ });
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
  await area.click();
  await page.keyboard.type('Close the doors ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('gently');
  expect(await tool('Bold').getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Enter');
  await tool('Bullet list').click();
  await page.keyboard.type('Oil');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Grease');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');

  // An address that runs something is refused where it is typed.
  await tool('Link').click();
  const address = page.getByLabel('Address of the link');
  await address.fill('javascript:alert(1)');
  await address.press('Enter');
  await page.getByText('A link begins with https://, mailto:, tel: or, within Mainstay, with /.').waitFor();
  await picture(page, `rich-text-link-${size.width}`);
  await address.fill('https://acme.example/rules');
  await address.press('Enter');
  await address.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');

  // As a word processor gives it.
  await area.evaluate((element) => {
    const data = new DataTransfer();
    const word =
      '<p class=MsoNormal><b>Pasted</b><o:p></o:p></p><script>alert(1)</script>' +
      '<table><tr><td>Door</td><td>12 kg</td></tr><tr><td>Rope</td><td>8 kg</td></tr></table>';
    data.setData('text/html', `<!--StartFragment-->${word}<!--EndFragment-->`);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await area.getByText('Rope 8 kg').waitFor();
  // Elsewhere in the text, so that it is a step of its own. The editor puts the cursor behind what was pasted a moment
  // after it shows that, so the key is pressed until it has its effect.
  const goToStart = async () => {
    await page.keyboard.press('Control+Home');
    return page.evaluate(() => getSelection()?.anchorNode?.textContent);
  };
  await expect.poll(goToStart).toBe('Close the doors ');
  await page.keyboard.type('taken back ');
  await area.getByText('taken back').waitFor();
  await page.keyboard.press('Control+z');
  await area.getByText('taken back').waitFor({ state: 'detached' });

  const from = page.getByRole('textbox', { name: /^Publish from/ });
  await from.fill('01-11-2026');
  await from.press('Tab');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.keyboard.press('Control+s');
  await page.waitForURL((url) => !url.pathname.endsWith('/add'));
  const kept = await page.evaluate(async (name) => {
    const headers = { authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '""') as string}` };
    const filter = encodeURIComponent(JSON.stringify(['title', 'eq', name]));
    const rows = (await (await fetch(`/tapi/media_item?filter=${filter}`, { headers })).json()) as {
      data: { id: number }[];
    };
    const one = await fetch(`/tapi/media_item/${rows.data[0]!.id}`, { headers });
    return ((await one.json()) as { data: { id: number; body: string } }).data;
  }, title);
  expect(kept.body).toContain('<p>Close the doors <strong>gently</strong></p>');
  expect(kept.body).toContain('<ul><li><p>Oil</p></li><li><p>Grease</p></li></ul>');
  expect(kept.body).toContain('href="https://acme.example/rules"');
  expect(kept.body).toMatch(/Door 12 kg<\/p><p>Rope 8 kg/);
  expect(kept.body).not.toMatch(/script|Mso|taken back/);

  await page.goto(new URL(`/media/view/${kept.id}`, page.url()).href);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Grease' }).waitFor();
  await page.getByText('gently', { exact: true }).waitFor();
  await picture(page, `rich-text-read-${size.width}`);
  expect(complaints.filter((text) => !text.includes('Content Security Policy'))).toEqual([]);
});
