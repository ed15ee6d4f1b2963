/** Text escaped for a page or a mail, including quotes. */
export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** How a mail's head looks. */
export interface MailHead {
  name: string;
  /** Colour of the button, and address of the picture at the top; null = none. */
  primary: string | null;
  logo: string | null;
}

/**
 * A mail's text as HTML: paragraphs, the link as a button, the sender's name and picture at the top. Everything is
 * escaped; only the given link becomes a link, and only over http.
 */
export function mailHtml({ name, primary, logo }: MailHead, text: string, link: string | undefined): string {
  const safe = link !== undefined && /^https?:\/\//.test(link) ? link : undefined;
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) =>
      part
        .split('\n')
        .filter((line) => line.trim() !== '' && line.trim() !== safe)
        .map(escapedHtml)
        .join('<br>'),
    )
    .filter((part) => part !== '')
    .map((part) => `<p style="margin:0 0 16px">${part}</p>`);
  const button =
    safe &&
    `<p style="margin:24px 0"><a href="${escapedHtml(safe)}" style="background:${escapedHtml(primary ?? '#0f6cbd')};color:#ffffff;padding:10px 20px;border-radius:4px;text-decoration:none;font-weight:600">Open</a></p>`;
  const picture =
    logo === null
      ? ''
      : `<p style="margin:0 0 8px"><img src="${escapedHtml(logo)}" alt="" height="40" style="height:40px;border:0"></p>\n`;
  return `<!doctype html><html><body style="margin:0;padding:24px;background:#f5f5f5;font-family:'Segoe UI',Arial,sans-serif;font-size:14px;line-height:20px;color:#242424">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;padding:32px">
${picture}<p style="margin:0 0 24px;font-weight:600;color:#616161">${escapedHtml(name)}</p>
${paragraphs.join('\n')}
${button ?? ''}${safe ? `<p style="margin:0;font-size:12px;color:#616161;word-break:break-all">${escapedHtml(safe)}</p>` : ''}
</div></body></html>`;
}
