/** The field of the page before its scripts have come. */
const field = document.querySelector<HTMLInputElement>('.outline.sign-in input');

export function focusEarlyField(): void {
  field?.focus();
}

/** What was typed or pasted before the form was there; once. */
export function takeEarlyKey(): string {
  const typed = field?.value ?? '';
  if (field) field.value = '';
  return typed;
}
