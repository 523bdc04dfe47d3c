import { createElement, type ReactNode } from 'react';

// The elements that messages name: `t.rich('forms.saved', { name, bdi })` for `<bdi>{name}</bdi> was saved.`

/** A name, which may be in any script. */
export const bdi = (text: ReactNode) => createElement('bdi', { translate: 'no' }, text);
export const strong = (text: ReactNode) => createElement('strong', null, text);
export const code = (text: ReactNode) => createElement('code', null, text);
