import { vi } from 'vitest';

export interface FakeUpload {
  address: string;
  form: FormData;
}

/** Answers uploads, which go by XMLHttpRequest because fetch does not say how much has gone. */
export function fakeUpload(answer: { status: number; body: unknown }): FakeUpload[] {
  const sent: FakeUpload[] = [];
  class Request {
    upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } = {};
    status = answer.status;
    responseText = JSON.stringify(answer.body);
    onload?: () => void;
    onabort?: () => void;
    private address = '';
    open(_method: string, address: string) {
      this.address = address;
    }
    setRequestHeader() {
      // The fake server asks nobody who they are.
    }
    send(form: FormData) {
      sent.push({ address: this.address, form });
      this.upload.onprogress?.({ lengthComputable: true, loaded: 5, total: 10 });
      setTimeout(() => this.onload?.(), 5);
    }
    abort() {
      this.onabort?.();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request);
  return sent;
}
