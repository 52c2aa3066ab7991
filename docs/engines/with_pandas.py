# The ten questions of docs/engines.md for pandas, beside the folder "tables". read_parquet
# needs pyarrow; of "pcpscope convert --to csv", read_csv and pandas are enough.
import os
import pandas as pd

def table(name):
    if os.path.exists(f"tables/{name}.parquet"):
        return pd.read_parquet(f"tables/{name}.parquet")
    rows = pd.read_csv(f"tables/{name}.csv", keep_default_na=False, float_precision="round_trip", na_values={"instance": "", "instance_id": ""})
    if "time" in rows:
        rows["time"] = pd.to_datetime(rows["time"], utc=True)  # nanoseconds
    return rows

series = table("series")
rows = table("samples").merge(series, on="series")
strings = table("strings").merge(series, on="series")
events = table("events").merge(series, on="series")
steps = rows[rows.semantics == "counter"].copy()  # each value with its growth since the one before
steps["growth"] = steps.groupby("series").value.diff()
steps["seconds"] = steps.groupby("series").time.diff().dt.total_seconds()
steps["begins"] = steps.time.dt.floor("10s")

# Which hosts are busiest? In percent of all their CPUs.
idle = steps[steps.metric == "kernel.all.cpu.idle"].groupby("host")[["growth", "seconds"]].sum()
ncpu = rows[rows.metric == "hinv.ncpu"].groupby("host").value.max()
busiest_hosts = (100 - 100 * idle.growth / 1000 / idle.seconds / ncpu).round(1).sort_values(ascending=False).reset_index(name="busy")

# At what hour of the day is the load highest?
load = rows[rows.metric == "kernel.all.load"]
one = load[load.instance == "1 minute"]
load_by_hour = one.groupby(one.time.dt.hour).value.agg(["mean", "count"]).round(4).sort_values("mean", ascending=False).reset_index()

# What is the 95th percentile of each load average?
load_p95 = load.groupby(["host", "instance"]).value.quantile(0.95).round(3).reset_index()

# How much was read and written, by disk, and how busy was it?
kib = steps[steps.metric == "disk.dev.total_bytes"].groupby(["host", "instance"]).growth.sum()
active = steps[steps.metric == "disk.dev.avactive"].groupby(["host", "instance"])[["growth", "seconds"]].sum()
disks = pd.DataFrame({"kib": kib, "busy": (100 * active.growth / 1000 / active.seconds).round(3)}).reset_index()

# Which interfaces carried most traffic?
carried = steps[steps.metric == "network.interface.total.bytes"].groupby(["host", "instance"]).growth.sum().reset_index()
interfaces = carried.sort_values(["growth", "instance"], ascending=[False, True]).head(3)

# When was free memory at its lowest?
free = rows[rows.metric == "mem.util.free"].sort_values(["value", "time"]).groupby("host").head(1)
lowest_memory = pd.DataFrame({"host": free.host, "kib": free.value, "moment": free.time.astype("int64") // 1000})

# Which processes used most CPU while the disks were busiest?
requests = steps[steps.metric == "disk.all.total"].groupby(["host", "begins"]).growth.sum()
busiest = requests.nlargest(1).reset_index()[["host", "begins"]]
used = steps[steps.metric.isin(["proc.psinfo.utime", "proc.psinfo.stime"]) & (steps.growth > 0)].merge(busiest, on=["host", "begins"])
processes = used.groupby(["host", "instance"]).growth.sum().reset_index().sort_values(["growth", "instance"], ascending=[False, True]).head(5)

# Which strings changed, and how often?
texts = strings[strings.type == "STRING"].copy()
texts["before"] = texts.groupby("series").value.shift()
changed = texts[texts.before.notna() & (texts.value != texts.before)].groupby("metric").size().reset_index(name="changes")
changed_texts = changed.sort_values(["changes", "metric"], ascending=[False, True]).head(3)

# Which events happened, how often?
event_records = events.groupby("metric").missed.agg(["size", "sum"]).reset_index()

# Every counter that ran backwards: a restart, or an overflow.
backwards = steps[steps.growth < 0].groupby(["metric", "instance"], dropna=False).size().reset_index()

answers = [busiest_hosts, load_by_hour, load_p95, disks, interfaces, lowest_memory, processes, changed_texts, event_records, backwards]
for answer in answers:
    print(answer.to_string(index=False))
