// Regular expressions typed by users, or in links.

/**
 * Whether a regular expression is safe to run, since a link may contain one.
 * Repeated groups and many repetitions in a row may take exponential time.
 * @param {string} text
 */
export function isTame(text) {
  return text.length < 200 && !/\)[*+{?]/.test(text) && (text.match(/[*+{]/g) ?? []).length <= 3;
}
