/** `fetch` with upload progress, from 0 to 1. */
export function sendWithProgress(onProgress: (sent: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.responseType = 'blob';
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total);
      };
      request.upload.onload = () => onProgress(1);
      request.onload = () => {
        const headers = { 'Content-Type': request.getResponseHeader('Content-Type') ?? '' };
        resolve(new Response(request.response, { status: request.status, headers }));
      };
      request.onerror = () => reject(new TypeError('Failed to fetch'));
      request.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
      init.signal?.addEventListener('abort', () => request.abort());
      request.send(init.body instanceof Blob ? init.body : String(init.body ?? ''));
    });
}
