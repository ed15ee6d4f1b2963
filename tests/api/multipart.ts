/** A body of one uploaded file, as a browser sends it. */
export function upload(name: string, content: Buffer | string): { payload: Buffer; headers: Record<string, string> } {
  const boundary = '----mainstay-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
