/** The icon of the service, as it is in the page; `size` in pixels. It says nothing to a screen reader. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true">
      <use href="#logo" />
    </svg>
  );
}
