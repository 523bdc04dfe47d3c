import { reloadPage } from '../browser/reload.ts';
import { type Language, languages } from './language.ts';

/** Says in English and in the language of the user, whose messages may be what is missing, that a file did not come. */
export function sayNotLoaded(place: HTMLElement, language: Language): void {
  const spoken = [...new Set<Language>([language, 'en'])].map((lang) => {
    const { notLoaded, again } = languages[lang];
    const text = document.createElement('p');
    text.append(notLoaded);
    const button = document.createElement('button');
    button.className = 'button';
    button.append(again);
    button.addEventListener('click', reloadPage);
    const part = document.createElement('div');
    part.className = 'loading';
    part.lang = lang;
    part.append(text, button);
    return part;
  });
  place.replaceChildren(...spoken);
  place.role = 'alert';
}
