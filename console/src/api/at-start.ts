/** Whether somebody keeps their place when the list is read again, however many of its pages were loaded. */
export const isAtStart = (): boolean => window.scrollY < window.innerHeight;
