let page = '/';

/** Renders a page for its path: its links are relative to that, so that they hold below any path of a host. */
export function renderAt(path: string, render: () => string): string {
  page = path;
  return render();
}

/** The address of a path of the service on the page that is being rendered; any other is as it was. */
export function to(path: string): string {
  if (!path.startsWith('/')) return path;
  const upwards = '../'.repeat(page.split('/').length - 2);
  return upwards + path.slice(1) || './';
}
