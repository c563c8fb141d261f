"""The rules of clients/behaviours.md, by their numbers. The environment says where a server, a proxy and the document are."""

import base64
import datetime
import hashlib
import inspect
import json
import os
import pathlib
import re
import time
import urllib.request
import uuid

import pytest

import hindsight_backtests as hb
from hindsight_backtests import Hindsight

SERVER, PROXY = os.environ["SERVER"], os.environ["PROXY"]
KEYS = json.loads(os.environ["KEYS"])


def returns(begin, days=400):
    dates = [datetime.date(begin, 1, 1) + datetime.timedelta(day) for day in range(days)]
    return "".join(["date,returns\n", *(f"{date},{0.01 if date.day % 3 else -0.017}\n" for date in dates)]).encode()


RUN = {"strategy": "donchian_breakout", "start_date": "2021-01-01"}
JOB = {"job_id": 7, "status": "error", "error": {"code": "timed_out", "message": "too slow"}}


def hs(answers="", key="roomy", **options):
    """A client behind the proxy, and what it asked there."""
    name = uuid.uuid4().hex
    client = Hindsight(KEYS.get(key, key), f"{PROXY}/{name}/{answers}/v1", **options)
    return client, lambda: json.load(urllib.request.urlopen(f"{PROXY}/{name}"))


def data(answer):
    return "data:" + base64.urlsafe_b64encode(json.dumps({"data": answer}).encode()).decode().rstrip("=")


def test_01(monkeypatch):
    monkeypatch.delenv("HINDSIGHT_KEY", raising=False)
    with pytest.raises(ValueError, match="HINDSIGHT_KEY"):
        Hindsight(base=f"{SERVER}/v1")
    monkeypatch.setenv("HINDSIGHT_KEY", KEYS["roomy"])
    monkeypatch.setenv("HINDSIGHT_URL", f"{SERVER}/v1")
    assert Hindsight().usage()["plan"]["name"] == "roomy"


def test_02():
    for base in (SERVER, "localhost/v1", f"{SERVER}/v1/x"):
        with pytest.raises(ValueError, match="/v1"):
            Hindsight("hs_live_x", base)
    assert Hindsight(KEYS["roomy"], f"{SERVER}/v1/").usage()["plan"]["name"] == "roomy"


def test_03():
    assert next(iter(hs()[0].dca("btc"))) == "attribution"


def test_04():
    """No operation is forgotten, and each has the document's parameters, with their defaults."""
    document = json.loads(pathlib.Path(os.environ["DOCUMENT"]).read_text())
    operations = [(path, verb, each) for path, verbs in document["paths"].items() for verb, each in verbs.items() if verb != "servers"]
    keyed = [each for each in operations if each[2].get("security") != [] and "401" in each[2]["responses"]]
    assert len(keyed) > 15
    for path, verb, operation in keyed:
        words = re.sub("([A-Z])", r"_\1", operation["operationId"]).lower()
        method = getattr(Hindsight, words if "{" in path else words.partition("_")[2])
        ours = {p.name.rstrip("_"): p for p in inspect.signature(method).parameters.values()}
        wanted = {p["name"]: (p["schema"].get("default"), p.get("required", False))
                  for p in operation.get("parameters", []) if p.get("in") in ("query", "path") and p["name"] not in ("format",)}  # fmt: skip
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content:
            body = document["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
            wanted |= {name: (schema.get("default"), name in body["required"]) for name, schema in body["properties"].items()}
        for name, (default, required) in wanted.items():
            assert (ours[name].default is inspect.Parameter.empty) == required, (path, name)
            assert required or ours[name].default == default, (path, name)
        assert set(ours) - set(wanted) <= {"self", "wait", "backtest", "live", "format"}, path


def test_05():
    client, asked = hs()
    client.history(["btc", "eth"], ["close", "rsi_14"], from_=datetime.date(2021, 1, 1), step="month")
    with pytest.raises(hb.InvalidRequest):
        client.check(returns(2022), leave_out=["a,b", "c"])
    assert asked()[0]["path"] == "/v1/history?coin=btc%2Ceth&columns=close%2Crsi_14&from=2021-01-01&step=month"
    assert asked()[1]["path"] == "/v1/check?leave_out=a%2Cb&leave_out=c"


def test_06():
    assert hs(data({"later": 1}))[0].usage() == {"later": 1}


def test_07():
    with pytest.raises(hb.InvalidRequest) as caught:
        hs()[0].signals("btx")
    error = caught.value
    assert (error.status, error.code) == (400, "unknown_coin") and '"btc"' in error.message
    assert error.docs_url.endswith("#unknown_coin") and error.request_id


def test_08():
    with pytest.raises(hb.Unauthorized, match="invalid_api_key"):
        hs(key="hs_live_wrong")[0].usage()
    with pytest.raises(hb.Unauthorized, match="paid_plan_required"):
        hs()[0].backtest(**RUN)


def test_09():
    client, asked = hs(key="spent", max_wait=1)
    with pytest.raises(hb.QuotaExceeded, match="days") as caught:
        client.dca("btc")
    assert caught.value.retry_after > 86_400 and len(asked()) == 1


@pytest.mark.parametrize("status", [pytest.param("429", id="10"), pytest.param("503", id="11")])
def test_refused_for_now(status):
    client, asked = hs(status)
    began = time.monotonic()
    assert client.overfitting(1.8, 730, 100)["verdict"]
    assert len(asked()) == 2 and time.monotonic() - began >= 1


def test_12():
    client, asked = hs("503,503,503,503", max_wait=2)
    with pytest.raises(hb.Unavailable):
        client.usage()
    assert len(asked()) == 3


@pytest.mark.parametrize("status", [pytest.param(502, id="13"), pytest.param(200, id="14")])
def test_page(status):
    with pytest.raises(hb.HindsightError) as caught:
        hs(f"page{status}")[0].usage()
    assert caught.value.status == status and caught.value.message.count("bad gateway") == 16


def test_15():
    client, asked = hs("half")
    assert client.dca("btc")["return_pct"] and len(asked()) == 2


def test_16():
    client, asked = hs("nothing,nothing")
    assert client.usage() and len(asked()) == 3
    client, asked = hs("nothing,nothing,nothing,nothing,nothing", max_wait=3)
    with pytest.raises(hb.Unavailable) as caught:
        client.usage()
    assert caught.value.status == 0 and len(asked()) == 3


def test_17():
    client, asked = hs("silent", timeout=0.5)
    assert client.usage() and len(asked()) == 2


def test_18():
    client, asked = hs("lost")
    with pytest.raises(hb.Unavailable):
        client.check(returns(2022))
    assert len(asked()) == 1


def test_19():
    client, asked = hs("lost", key="paid")
    job = client.backtest(**RUN, wait=False)
    first, second = asked()
    assert first["headers"]["idempotency-key"] == second["headers"]["idempotency-key"]
    assert sum(day["calls"] for day in client.usage()["calls"] if "backtest" in day["endpoint"]) == 1
    job.result()


def test_20():
    client, _ = hs(key="paid")
    assert client.backtest(**RUN)["sharpe"] is not None
    job = client.study(strategy="ma_cross", start_date="2021-01-01", parameters={"fast": [5, 10], "slow": [50]}, wait=False)
    assert len(job.result()["runs"]) == 2 and client.get_study(job.id)["status"] == "done"


def test_21():
    with pytest.raises(hb.JobFailed, match="timed_out: too slow"):
        hs(f"{data({'job_id': 7})},{data(JOB)}", key="paid")[0].backtest(**RUN)


@pytest.mark.parametrize("cache", [pytest.param(True, id="22"), pytest.param(False, id="23")])
def test_kept(cache):
    client, asked = hs(cache=cache)
    used = client.usage()["quota"]["used"]
    first, second = client.dca("eth"), client.dca("eth")
    assert first == second and client.usage()["quota"]["used"] == used + (1 if cache else 2)
    assert ("if-none-match" in asked()[2]["headers"]) == cache


def test_24():
    client, asked = hs()
    assert client.check(returns(2022), n_trials=20)["verdict"]["value"]
    assert client.check(returns(2022), live=returns(2024))["live"]
    assert asked()[1]["headers"]["content-type"].startswith("multipart/form-data")
    with pytest.raises(hb.MoreNeeded) as caught:
        client.check(b"date,a,b\n" + b"".join(b"2022-01-%02d,0.01,100\n" % day for day in range(1, 31)))
    assert len(caught.value.questions) > 0 and caught.value.questions[0].endswith('")')


def test_25():
    client, asked = hs()
    link = client.table("prices", hours=2)
    assert link.startswith(f"{SERVER}/v1/snapshots/") and "hours=2" in asked()[0]["path"]
    with urllib.request.urlopen(link) as answer:
        parquet = answer.read()
        assert answer.headers["ETag"] == f'"{hashlib.sha256(parquet).hexdigest()}"' and parquet[:4] == b"PAR1"
    with pytest.raises(ValueError, match="'tables'; there are: .*indicators"):
        client.table("tables")
