-- The ten questions of docs/engines.md for Spark 3.5 and later, beside the folder "tables":
--   spark-sql -f spark.sql
-- Spark has no nanosecond timestamps: it reads them as integers since 1970.

SET spark.sql.legacy.parquet.nanosAsLong = true;
SET TIME ZONE 'UTC';
CREATE TEMPORARY VIEW series  USING parquet OPTIONS (path 'tables/series.parquet');
CREATE TEMPORARY VIEW samples USING parquet OPTIONS (path 'tables/samples.parquet');
CREATE TEMPORARY VIEW strings USING parquet OPTIONS (path 'tables/strings.parquet');
CREATE TEMPORARY VIEW events  USING parquet OPTIONS (path 'tables/events.parquet');
CREATE TEMPORARY VIEW steps AS  -- each value with its growth since the one before, of counters
SELECT series, host, metric, instance, time, value, value - lag(value) OVER (PARTITION BY series ORDER BY time) AS growth,
  (time - lag(time) OVER (PARTITION BY series ORDER BY time)) / 1e9 AS seconds
FROM samples JOIN series USING (series) WHERE semantics = 'counter';

-- Which hosts are busiest? In percent of all their CPUs.
SELECT host, round(100 - 100 * sum(growth) / 1000 / sum(seconds) / any_value(ncpu), 1) AS busy
FROM steps JOIN (SELECT host, max(value) AS ncpu FROM samples JOIN series USING (series) WHERE metric = 'hinv.ncpu' GROUP BY host) USING (host)
WHERE metric = 'kernel.all.cpu.idle' GROUP BY host ORDER BY busy DESC;

-- At what hour of the day is the load highest?
SELECT hour(timestamp_micros(time DIV 1000)) AS hour, round(avg(value), 4) AS load, count(*) AS samples
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' AND instance = '1 minute'
GROUP BY hour(timestamp_micros(time DIV 1000)) ORDER BY load DESC;

-- What is the 95th percentile of each load average?
SELECT host, instance, round(percentile(value, 0.95), 3) AS p95
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' GROUP BY host, instance ORDER BY host, instance;

-- How much was read and written, by disk, and how busy was it?
SELECT host, instance, sum(growth) FILTER (WHERE metric = 'disk.dev.total_bytes') AS kib,
  round(100 * sum(growth) FILTER (WHERE metric = 'disk.dev.avactive') / 1000 / sum(seconds) FILTER (WHERE metric = 'disk.dev.avactive'), 3) AS busy
FROM steps WHERE metric IN ('disk.dev.total_bytes', 'disk.dev.avactive') GROUP BY host, instance ORDER BY host, instance;

-- Which interfaces carried most traffic?
SELECT host, instance, sum(growth) AS bytes FROM steps WHERE metric = 'network.interface.total.bytes'
GROUP BY host, instance ORDER BY bytes DESC, instance LIMIT 3;

-- When was free memory at its lowest?
SELECT host, min(value) AS kib, min_by(time, struct(value, time)) DIV 1000 AS moment
FROM samples JOIN series USING (series) WHERE metric = 'mem.util.free' GROUP BY host;

-- Which processes used most CPU while the disks were busiest?
WITH busiest AS (
  SELECT host, time DIV 10000000000 AS begins FROM steps
  WHERE metric = 'disk.all.total' GROUP BY host, time DIV 10000000000 ORDER BY sum(growth) DESC LIMIT 1)
SELECT s.host, s.instance, sum(s.growth) AS cpu_ms
FROM steps s JOIN busiest b ON s.host = b.host AND s.time DIV 10000000000 = b.begins
WHERE s.metric IN ('proc.psinfo.utime', 'proc.psinfo.stime') AND s.growth > 0
GROUP BY s.host, s.instance ORDER BY cpu_ms DESC, s.instance LIMIT 5;

-- Which strings changed, and how often?
SELECT metric, count(*) AS changes
FROM (SELECT metric, value, lag(value) OVER (PARTITION BY series ORDER BY time) AS before FROM strings JOIN series USING (series) WHERE type = 'STRING')
WHERE value <> before GROUP BY metric ORDER BY changes DESC, metric LIMIT 3;

-- Which events happened, how often?
SELECT metric, count(*) AS records, sum(missed) AS missed FROM events JOIN series USING (series) GROUP BY metric ORDER BY metric;

-- Every counter that ran backwards: a restart, or an overflow.
SELECT metric, instance, count(*) AS times FROM steps WHERE growth < 0 GROUP BY metric, instance ORDER BY metric, instance;
