// DOM helpers.

/**
 * Finds elements of a kind.
 *
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]}
 */
export function all(selector, kind) {
  /** @param {Element} found @returns {found is Kind} */
  const isKind = (found) => found instanceof kind;
  return Array.from(document.querySelectorAll(selector)).filter(isKind);
}

/**
 * Creates an element.
 *
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {...(Node | string)} children
 */
export function element(tag, attributes, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}
