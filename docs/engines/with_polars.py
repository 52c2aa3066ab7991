# The ten questions of docs/engines.md for polars 1.30 and later, beside the folder "tables".
import polars as pl

tables = pl.SQLContext({name: pl.scan_parquet(f"tables/{name}.parquet") for name in ("series", "samples", "strings", "events")})

# Each value with its growth since the one before, of counters.
tables.register("steps", tables.execute("""
SELECT series, host, metric, instance, time, value, growth, CAST(time - before AS BIGINT) / 1000000000.0 AS seconds, CAST(time AS BIGINT) // 10000000000 AS begins
FROM (SELECT series, time, value, value - LAG(value) OVER (PARTITION BY series ORDER BY time) AS growth, LAG(time) OVER (PARTITION BY series ORDER BY time) AS before FROM samples)
JOIN series USING (series) WHERE semantics = 'counter'"""))

questions = {
"Which hosts are busiest? In percent of all their CPUs.": """
SELECT host, ROUND(100 - 100 * SUM(growth) / 1000 / SUM(seconds) / MAX(ncpu), 1) AS busy
FROM steps JOIN (SELECT host, MAX(value) AS ncpu FROM samples JOIN series USING (series) WHERE metric = 'hinv.ncpu' GROUP BY host) AS cpus USING (host)
WHERE metric = 'kernel.all.cpu.idle' GROUP BY host ORDER BY busy DESC""",

"At what hour of the day is the load highest?": """
SELECT DATE_PART('hour', time) AS hour, ROUND(AVG(value), 4) AS load, COUNT(*) AS samples
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' AND instance = '1 minute'
GROUP BY hour ORDER BY load DESC""",

"What is the 95th percentile of each load average?": """
SELECT host, instance, ROUND(QUANTILE_CONT(value, 0.95), 3) AS p95
FROM samples JOIN series USING (series) WHERE metric = 'kernel.all.load' GROUP BY host, instance ORDER BY host, instance""",

"How much was read and written, by disk, and how busy was it?": """
SELECT host, instance, SUM(growth) FILTER (WHERE metric = 'disk.dev.total_bytes') AS kib,
  ROUND(100 * SUM(growth) FILTER (WHERE metric = 'disk.dev.avactive') / 1000 / SUM(seconds) FILTER (WHERE metric = 'disk.dev.avactive'), 3) AS busy
FROM steps WHERE metric IN ('disk.dev.total_bytes', 'disk.dev.avactive') GROUP BY host, instance ORDER BY host, instance""",

"Which interfaces carried most traffic?": """
SELECT host, instance, SUM(growth) AS bytes FROM steps WHERE metric = 'network.interface.total.bytes'
GROUP BY host, instance ORDER BY bytes DESC, instance LIMIT 3""",

"When was free memory at its lowest?": """
SELECT host, value AS kib, CAST(time AS BIGINT) // 1000 AS moment FROM (
  SELECT host, value, time, ROW_NUMBER() OVER (PARTITION BY host ORDER BY value, time) AS place FROM samples JOIN series USING (series) WHERE metric = 'mem.util.free')
WHERE place = 1""",

"Which processes used most CPU while the disks were busiest?": """
WITH busiest AS (
  SELECT host, begins, SUM(growth) AS requests FROM steps
  WHERE metric = 'disk.all.total' GROUP BY host, begins ORDER BY requests DESC LIMIT 1)
SELECT host, instance, SUM(growth) AS cpu_ms FROM steps JOIN busiest USING (host, begins)
WHERE metric IN ('proc.psinfo.utime', 'proc.psinfo.stime') AND growth > 0
GROUP BY host, instance ORDER BY cpu_ms DESC, instance LIMIT 5""",

"Which strings changed, and how often?": """
SELECT metric, COUNT(*) AS changes
FROM (SELECT series, value, LAG(value) OVER (PARTITION BY series ORDER BY time) AS before FROM strings) JOIN series USING (series)
WHERE type = 'STRING' AND value <> before GROUP BY metric ORDER BY changes DESC, metric LIMIT 3""",

"Which events happened, how often?": """
SELECT metric, COUNT(*) AS records, SUM(missed) AS missed FROM events JOIN series USING (series) GROUP BY metric ORDER BY metric""",

"Every counter that ran backwards: a restart, or an overflow.": """
SELECT metric, instance, COUNT(*) AS times FROM steps WHERE growth < 0 GROUP BY metric, instance ORDER BY metric, instance""",
}

for question, sql in questions.items():
    print(question, tables.execute(sql, eager=True))
