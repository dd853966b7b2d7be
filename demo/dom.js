/**
 * An element with its properties and children. A property with a dash in its name is an attribute.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    // htmlFor of an output is a list that takes no assignment in every browser.
    if (name === 'htmlFor') made.setAttribute('for', value);
    else if (name.includes('-') || name === 'role') made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}
