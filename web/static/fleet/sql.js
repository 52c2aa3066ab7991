// The query behind the view, as SQL for DuckDB.

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/**
 * @param {{ urls: string[], measure: string, statistic: string, from: string, to: string, filter: string }} what
 */
export function sql({ urls, measure, statistic, from, to, filter }) {
  const column = { mean: "mean", max: "maximum", p95: "p95" }[statistic] ?? "mean";
  return `-- DuckDB: ${measure} by host, the worst hour first; the files are those that count as of now.
-- Where the server wants a token: CREATE SECRET (TYPE http, BEARER_TOKEN '…');
SELECT host, count(*) AS hours, avg(mean) AS mean, max(${column}) AS worst, arg_max(time, ${column}) AS worst_at
FROM read_parquet([
  ${urls.map(quoted).join(",\n  ")}
])
WHERE metric = ${quoted(measure)} AND time >= TIMESTAMPTZ ${quoted(`${from} 00:00:00+00`)} AND time < TIMESTAMPTZ ${quoted(`${to} 00:00:00+00`)} + INTERVAL 1 DAY${filter ? `\n  AND contains(lower(host), ${quoted(filter.toLowerCase())})` : ""}
GROUP BY host
ORDER BY worst DESC
LIMIT 50;
`;
}
