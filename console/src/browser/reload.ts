let isBegun = false;

/** Loads the page again, with its drafts: nobody is asked. */
export function reloadPage(): void {
  isBegun = true;
  location.reload();
}

export const isReloading = (): boolean => isBegun;
