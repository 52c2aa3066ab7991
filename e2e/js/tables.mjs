// Reads tables with engines:
//   node tables.mjs '{"dir": "…", "sql": ["…"]}'
// prints the rows of each statement, run by DuckDB in the folder that has
// "tables" in it, as JSON. With {"arrow": "…"} it prints, for each table of
// that folder, what apache-arrow reads of it: rows, and the sum of each column.
import { readFileSync } from "node:fs";

const { dir, sql = [], arrow } = JSON.parse(process.argv[2]);
if (arrow) {
  const { CompressionType, compressionRegistry, tableFromIPC } = await import("apache-arrow");
  const { decompress } = await import("fzstd");
  compressionRegistry.set(CompressionType.ZSTD, { decode: (packed) => decompress(packed).slice() });
  const out = {};
  for (const name of ["series", "samples", "strings", "events"]) {
    const table = tableFromIPC(readFileSync(`${arrow}/${name}.arrow`));
    out[name] = { rows: table.numRows, columns: Object.fromEntries(table.schema.fields.map((field) => {
      const column = table.getChild(field.name);
      let sum = 0, none = 0;
      for (const value of column) {
        if (value === null) none++;
        else sum += typeof value === "string" ? new TextEncoder().encode(value).length : Number(value);
      }
      return [field.name, { type: String(field.type), sum, none }];
    })) };
  }
  console.log(JSON.stringify(out));
} else {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  process.chdir(dir);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const out = [];
  for (const statement of sql) {
    const result = await connection.runAndReadAll(statement);
    out.push(result.getRowsJson());
  }
  console.log(JSON.stringify(out));
}
