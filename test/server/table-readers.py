"""One reader reads one coin of a table: READER, then how it is let in, then where. Prints rows and a mean, as JSON."""
import glob
import json
import os
import sys

reader, key, url, column = sys.argv[1:5]
bearer = {"Authorization": f"Bearer {key}"}


def by_duckdb(table):
    import duckdb
    import duckdb_extension_httpfs

    folder = os.path.dirname(duckdb_extension_httpfs.__file__)
    [extension] = glob.glob(f"{folder}/**/httpfs.duckdb_extension", recursive=True)
    con = duckdb.connect()
    con.execute(f"LOAD '{extension}'")
    if key:
        con.execute(f"CREATE SECRET (TYPE http, BEARER_TOKEN '{key}')")
    if url.endswith(".duckdb"):
        con.execute(f"ATTACH '{url}' AS h (READ_ONLY)")
    query = f"SELECT count(*), avg({column}) FROM {table} WHERE coin = 'btc'"
    first = con.execute(query).fetchone()
    if "--again" in sys.argv:  # another query on what is read already, once somebody says so
        print(json.dumps(first), flush=True)
        sys.stdin.readline()
        return con.execute(query.replace(column, "sma_200")).fetchone()
    return first


def by_polars():
    import polars as pl

    btc = pl.scan_parquet(url).filter(pl.col("coin") == "btc")
    return btc.select(pl.len(), pl.col(column).mean()).collect().row(0)


def by_pandas():
    import pandas as pd

    table = pd.read_parquet(url, storage_options=bearer)
    btc = table[table.coin == "btc"]
    return len(btc), btc[column].mean()


def by_pyarrow():
    import fsspec
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    files = fsspec.filesystem("http", headers=bearer)
    btc = pq.read_table(url, filesystem=files, columns=[column], filters=[("coin", "=", "btc")])
    return btc.num_rows, pc.mean(btc[column]).as_py()


readers = {
    "duckdb": lambda: by_duckdb(f"'{url}'"),
    "attach": lambda: by_duckdb("h.indicators"),
    "polars": by_polars,
    "pandas": by_pandas,
    "pyarrow": by_pyarrow,
}
try:
    print(json.dumps(readers[reader]()))
except Exception as error:
    print(json.dumps(str(error)))
