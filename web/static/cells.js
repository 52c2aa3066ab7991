// Quotes table cells that go to a spreadsheet. web/format/cell.go does the same;
// web/format/testdata/cells.json tests both.

/**
 * Keeps spreadsheets from taking a name from a file for a formula: a text
 * that begins like one, even after blanks and quotes, is prefixed with an
 * apostrophe. Numbers are left alone.
 * https://owasp.org/www-community/attacks/CSV_Injection
 * @param {unknown} value
 */
export function cell(value) {
  const text = String(value);
  if (!/^["\s\u0000-\u001f\u007f-\u009f\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text)) return text;
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? text : `'${text}`;
}

/**
 * A CSV field (RFC 4180). Semicolons are quoted too, because some programs take them as separators.
 * @param {unknown} value
 */
export function csvCell(value) {
  const text = cell(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A cell of a pasted table, where tabs and line breaks separate cells.
 * @param {unknown} value
 */
export function pastedCell(value) {
  return cell(String(value).replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, " "));
}
