/**
 * Sets the height of an element in the style sheet, for others to stand above or below it: a reference for React.
 *
 * @param property A custom property of the page.
 */
export const knownHeight = (property: `--${string}`) => (element: HTMLElement | null) => {
  if (element === null) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty(property);
  };
};
