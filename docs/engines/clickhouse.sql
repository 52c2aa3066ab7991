-- The ten questions of docs/engines.md for ClickHouse 24.10 and later, beside the folder "tables":
--   clickhouse local --queries-file clickhouse.sql

CREATE VIEW series  AS SELECT * FROM file('tables/series.parquet');
CREATE VIEW samples AS SELECT * FROM file('tables/samples.parquet');
CREATE VIEW strings AS SELECT * FROM file('tables/strings.parquet');
CREATE VIEW events  AS SELECT * FROM file('tables/events.parquet');
CREATE VIEW steps AS  -- each value with its growth since the one before, of counters
SELECT series, host, metric, instance, time, value,
  value - lag(toNullable(value)) OVER w AS growth,
  (toUnixTimestamp64Nano(time) - lag(toNullable(toUnixTimestamp64Nano(time))) OVER w) / 1e9 AS seconds
FROM samples JOIN series USING (series) WHERE semantics = 'counter'
WINDOW w AS (PARTITION BY series ORDER BY time);

-- Which hosts are busiest? In percent of all their CPUs.
SELECT host, round(100 - 100 * sum(growth) / 1000 / sum(seconds) / any(ncpu), 1) AS busy
FROM steps JOIN (SELECT host, max(value) AS ncpu FROM samples JOIN series USING (series) WHERE metric = 'hinv.ncpu' GROUP BY host) AS cpus USING (host)
WHERE metric = 'kernel.all.cpu.idle' GROUP BY host ORDER BY busy DESC;

-- At what hour of the day is the load highest?
SELECT toHour(time, 'UTC') AS hour, round(avg(value), 4) AS load, count() AS samples
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' AND instance = '1 minute'
GROUP BY hour ORDER BY load DESC;

-- What is the 95th percentile of each load average?
SELECT host, instance, round(quantileExactInclusive(0.95)(value), 3) AS p95
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' GROUP BY host, instance ORDER BY host, instance;

-- How much was read and written, by disk, and how busy was it?
SELECT host, instance, sumIf(growth, metric = 'disk.dev.total_bytes') AS kib,
  round(100 * sumIf(growth, metric = 'disk.dev.avactive') / 1000 / sumIf(seconds, metric = 'disk.dev.avactive'), 3) AS busy
FROM steps WHERE metric IN ('disk.dev.total_bytes', 'disk.dev.avactive') GROUP BY host, instance ORDER BY host, instance;

-- Which interfaces carried most traffic?
SELECT host, instance, sum(growth) AS bytes FROM steps WHERE metric = 'network.interface.total.bytes'
GROUP BY host, instance ORDER BY bytes DESC, instance LIMIT 3;

-- When was free memory at its lowest?
SELECT host, min(value) AS kib, toUnixTimestamp64Micro(toDateTime64(argMin(time, (value, time)), 6)) AS moment
FROM samples JOIN series USING (series) WHERE metric = 'mem.util.free' GROUP BY host;

-- Which processes used most CPU while the disks were busiest?
WITH busiest AS (
  SELECT host, intDiv(toUnixTimestamp64Nano(time), 10000000000) AS begins FROM steps
  WHERE metric = 'disk.all.total' GROUP BY host, begins ORDER BY sum(growth) DESC LIMIT 1)
SELECT s.host, s.instance, sum(s.growth) AS cpu_ms
FROM (SELECT *, intDiv(toUnixTimestamp64Nano(time), 10000000000) AS begins FROM steps) AS s JOIN busiest AS b ON s.host = b.host AND s.begins = b.begins
WHERE s.metric IN ('proc.psinfo.utime', 'proc.psinfo.stime') AND s.growth > 0
GROUP BY s.host, s.instance ORDER BY cpu_ms DESC, s.instance LIMIT 5;

-- Which strings changed, and how often?
SELECT metric, count() AS changes
FROM (SELECT metric, value, lag(toNullable(value)) OVER (PARTITION BY series ORDER BY time) AS before FROM strings JOIN series USING (series) WHERE type = 'STRING')
WHERE value <> before GROUP BY metric ORDER BY changes DESC, metric LIMIT 3;

-- Which events happened, how often?
SELECT metric, count() AS records, sum(missed) AS missed FROM events JOIN series USING (series) GROUP BY metric ORDER BY metric;

-- Every counter that ran backwards: a restart, or an overflow.
SELECT metric, instance, count() AS times FROM steps WHERE growth < 0 GROUP BY metric, instance ORDER BY metric, instance;
