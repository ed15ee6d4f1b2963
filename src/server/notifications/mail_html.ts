function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * A mail's text as HTML: paragraphs, the link as a button, the sender's name above. Everything is escaped;
 * only the link given is a link, and only over http.
 */
export function mailHtml(company: string, text: string, link: string | undefined): string {
  const safe = link !== undefined && /^https?:\/\//.test(link) ? link : undefined;
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => part.split('\n').filter((line) => line.trim() !== '' && line.trim() !== safe).map(escaped).join('<br>'))
    .filter((part) => part !== '')
    .map((part) => `<p style="margin:0 0 16px">${part}</p>`);
  const button = safe && `<p style="margin:24px 0"><a href="${escaped(safe)}" style="background:#0f6cbd;color:#ffffff;padding:10px 20px;border-radius:4px;text-decoration:none;font-weight:600">Open</a></p>`;
  return `<!doctype html><html><body style="margin:0;padding:24px;background:#f5f5f5;font-family:'Segoe UI',Arial,sans-serif;font-size:14px;line-height:20px;color:#242424">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border-radius:8px;padding:32px">
<p style="margin:0 0 24px;font-weight:600;color:#616161">${escaped(company)}</p>
${paragraphs.join('\n')}
${button ?? ''}${safe ? `<p style="margin:0;font-size:12px;color:#616161;word-break:break-all">${escaped(safe)}</p>` : ''}
</div></body></html>`;
}
