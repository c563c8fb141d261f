"""Writes the files of this folder and their answers: lists of trades and of fills as people have them, all made up.

The answers are computed here, from the cells as they are written, by the rules of docs/check.md:
python3 make.py, with nothing but Python's own library. A case is a file and an entry of answers.json; one written by hand
stays, if its name isn't made here.
"""
import json, math, os, random, zipfile
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
ANSWERS = {}


class Trade:
    """One trade; its figures are rounded as a file would have them."""

    def __init__(self, entry, exit, symbol, long, qty, entry_price, exit_price, fee):
        self.entry, self.exit, self.symbol, self.long, self.qty = entry, exit, symbol, long, qty
        self.entry_price, self.exit_price, self.fee = entry_price, exit_price, fee

    @property
    def gross(self):
        return round((self.exit_price - self.entry_price) * self.qty * (1 if self.long else -1), 4)

    @property
    def net(self):
        return round(self.gross - self.fee, 4)

    @property
    def share(self):
        return (self.exit_price / self.entry_price - 1) * (1 if self.long else -1)


def trades(seed, count=24, symbols=("BTC/USDT",), longs=0.5, start=datetime(2023, 3, 4, 9), qty=3, fee=True, price=100.0):
    rng = random.Random(seed)
    prices = {symbol: price * (1 + place) for place, symbol in enumerate(symbols)}
    now, out = start, []
    for _ in range(count):
        symbol = rng.choice(symbols)
        entry = now + timedelta(minutes=rng.randrange(30, 2000))
        exit = entry + timedelta(minutes=rng.randrange(60, 2500))
        before = round(prices[symbol] * (1 + rng.gauss(0, 0.01)), 2)
        after = round(before * (1 + rng.gauss(0.001, 0.02)), 2)
        prices[symbol], now = after, exit
        size = round(qty * rng.choice([1, 2, 0.5]), 3)
        paid = round((before + after) * size * 0.001, 4) if fee else 0
        out.append(Trade(entry, exit, symbol, rng.random() < longs, size, before, after, paid))
    return out


def day(moment):
    return int(moment.replace(tzinfo=timezone.utc).timestamp() // 86400)


def realised(events, capital, first, last, flows=()):
    """Daily returns of (moment, profit): what was closed on a day over the account before it."""
    account, out = capital, []
    for at in range(day(first), day(last) + 1):
        account += sum(amount for moment, amount in flows if day(moment) == at)
        profit = sum(each for moment, each in events if day(moment) == at)
        out.append(profit / account)
        account += profit
    return out


def figures(returns):
    mean = sum(returns) / len(returns)
    deviation = math.sqrt(sum((r - mean) ** 2 for r in returns) / (len(returns) - 1))
    total = math.prod(1 + r for r in returns) - 1
    return {"bars": len(returns), "sharpe": mean / deviation * math.sqrt(365), "total_return": total}


def case(name, text, format, returns=None, **more):
    with open(os.path.join(HERE, name), "w", encoding=more.pop("encoding", "utf-8"), newline="") as file:
        file.write(text)
    ANSWERS[name] = {"format": format, **(figures(returns) if returns else {}), **more}


def table(header, rows, delimiter=",", end=""):
    return "\n".join([header] + [delimiter.join(str(cell) for cell in row) + end for row in rows]) + "\n"


def of(list_, profit="net", capital=10000, flows=()):
    return realised([(t.exit, getattr(t, profit)) for t in list_], capital, list_[0].entry, list_[-1].exit, flows)


def compounded(list_, shares):
    """Each trade with the whole account, one after the other."""
    account, events = 1, []
    for t, share in zip(list_, shares):
        events.append((t.exit, account * share))
        account *= 1 + share
    return realised(events, 1, list_[0].entry, list_[-1].exit)


ASKS = {"asks": ["startingCapital"], "options": {"startingCapital": 10000}}
stamp = lambda moment: moment.strftime("%Y-%m-%d %H:%M:%S")
side = lambda t: "long" if t.long else "short"
order = lambda t: "BUY" if t.long else "SELL"
comma = lambda value: f"{value}".replace(".", ",")


# ---- lists of trades -------------------------------------------------------------------------------------------------
l = trades(1)
case("english.csv", table("trade_id,entry_time,exit_time,symbol,side,entry_price,exit_price,quantity,pnl,exit_reason",
    [(i, stamp(t.entry), stamp(t.exit), t.symbol, side(t), t.entry_price, t.exit_price, t.qty, t.net, "tp")
     for i, t in enumerate(l)]), "trades", of(l), **ASKS)
case("newest-first.csv", table("Close Time,Open Time,Direction,P&L ($),Qty,Pair",
    [(stamp(t.exit), stamp(t.entry), side(t).upper(), f"${t.net:,.2f}" if t.net >= 0 else f"(${-t.net:,.2f})", t.qty, t.symbol)
     for t in reversed(l)]),
    "trades", realised([(t.exit, round(t.net, 2)) for t in l], 10000, l[0].entry, l[-1].exit), **ASKS)
l = trades(2, symbols=("ETH/USDT", "SOL/USDT"))
case("camel-gross.csv", table("entryTime,exitTime,symbol,side,entryPrice,exitPrice,positionSize,grossProfit,commission",
    [(t.entry.isoformat() + "Z", t.exit.isoformat() + "Z", t.symbol, order(t), t.entry_price, t.exit_price, t.qty, t.gross, t.fee)
     for t in l]), "trades", of(l), **ASKS)
case("gross-by-prices.csv", table("opened,closed,coin,type,open price,close price,amount,profit,fees",
    [(stamp(t.entry), stamp(t.exit), t.symbol, side(t), t.entry_price, t.exit_price, t.qty, t.gross, t.fee) for t in l]),
    "trades", of(l), warns=["fees_taken_off"], **ASKS)
case("net-by-prices.csv", table("opened,closed,coin,type,open price,close price,amount,profit,fees",
    [(stamp(t.entry), stamp(t.exit), t.symbol, side(t), t.entry_price, t.exit_price, t.qty, t.net, t.fee) for t in l]),
    "trades", of(l), warns_not=["fees_taken_off"], **ASKS)
case("fees-untold.csv", table("opened,closed,coin,profit,fees",
    [(stamp(t.entry), stamp(t.exit), t.symbol, t.gross, t.fee) for t in l]), "trades", of(l), warns=["fees_taken_off"], **ASKS)
case("net-and-gross.csv", table("opened,closed,gross pnl,net pnl,total fees",
    [(stamp(t.entry), stamp(t.exit), t.gross, t.net, t.fee) for t in l]), "trades", of(l), warns_not=["fees_taken_off"], **ASKS)
case("multiplier.csv", table("Entry Date,Exit Date,Contract,L/S,Entry,Exit,Contracts,Profit,Comm",
    [(t.entry.strftime("%m/%d/%Y %I:%M %p"), t.exit.strftime("%m/%d/%Y %I:%M %p"), t.symbol, "L" if t.long else "S",
      t.entry_price, t.exit_price, 2, round((t.exit_price - t.entry_price) * 100 * (1 if t.long else -1) - 4.5, 2), 4.5)
     for t in l]), "trades",
    realised([(t.exit, round((t.exit_price - t.entry_price) * 100 * (1 if t.long else -1) - 4.5, 2)) for t in l], 10000,
             l[0].entry, l[-1].exit), warns_not=["fees_taken_off"], **ASKS)
case("german.csv", table("Einstieg;Ausstieg;Wertpapier;Richtung;Menge;Einstiegspreis;Ausstiegspreis;Gebühren (€);Gewinn/Verlust (€)",
    [(t.entry.strftime("%d.%m.%Y %H:%M"), t.exit.strftime("%d.%m.%Y %H:%M"), t.symbol, "Kauf" if t.long else "Verkauf",
      comma(t.qty), comma(t.entry_price), comma(t.exit_price), comma(t.fee), comma(t.gross)) for t in l], ";"),
    "trades", of(l), warns=["fees_taken_off"], encoding="cp1252", **ASKS)
case("french.csv", table("Date d'entrée;Date de sortie;Symbole;Sens;Quantité;Prix d'entrée;Prix de sortie;Résultat net",
    [(t.entry.strftime("%d/%m/%Y %H:%M:%S"), t.exit.strftime("%d/%m/%Y %H:%M:%S"), t.symbol, "Achat" if t.long else "Vente",
      comma(t.qty), comma(t.entry_price), comma(t.exit_price), comma(t.net) + " €") for t in l], ";"), "trades", of(l), **ASKS)
case("spanish.csv", table("fecha entrada,fecha salida,activo,dirección,precio entrada,precio salida,cantidad,beneficio,comisión",
    [(stamp(t.entry), stamp(t.exit), t.symbol, "largo" if t.long else "corto", t.entry_price, t.exit_price, t.qty, t.net, t.fee)
     for t in l]), "trades", of(l), warns_not=["fees_taken_off"], **ASKS)
case("portuguese.csv", table("Ativo;Abertura;Fechamento;Lado;Qtd;Preço de compra;Preço de venda;Resultado",
    [(t.symbol, t.entry.strftime("%d/%m/%Y %H:%M:%S"), t.exit.strftime("%d/%m/%Y %H:%M:%S"), "C" if t.long else "V", comma(t.qty),
      comma(t.entry_price), comma(t.exit_price), ("-" if t.net < 0 else "") + "R$ " + comma(abs(t.net))) for t in l], ";"),
    "trades", of(l), **ASKS)
case("italian.csv", table("data apertura,data chiusura,strumento,direzione,quantità,prezzo apertura,prezzo chiusura,profitto",
    [(stamp(t.entry), stamp(t.exit), t.symbol, side(t), t.qty, t.entry_price, t.exit_price, t.net) for t in l]),
    "trades", of(l), **ASKS)
case("russian.csv", table("Дата входа;Дата выхода;Тип;Инструмент;Объем;Цена входа;Цена выхода;Комиссия;Прибыль",
    [(t.entry.strftime("%d.%m.%Y %H:%M:%S"), t.exit.strftime("%d.%m.%Y %H:%M:%S"), "Покупка" if t.long else "Продажа", t.symbol,
      comma(t.qty), comma(t.entry_price), comma(t.exit_price), comma(t.fee), comma(t.net)) for t in l], ";"),
    "trades", of(l), warns_not=["fees_taken_off"], **ASKS)
case("chinese.csv", table("序号,方向,开仓时间,平仓时间,开仓价,平仓价,已实现盈亏,手续费,盈亏%,原因",
    [(i, "多" if t.long else "空", stamp(t.entry), stamp(t.exit), t.entry_price, t.exit_price, t.net, t.fee,
      f"{100 * t.share:.2f}", "止盈") for i, t in enumerate(l)]),
    "trades", realised([(t.exit, round(t.net - t.fee, 4)) for t in l], 10000, l[0].entry, l[-1].exit), warns=["fees_taken_off"], **ASKS)
l = trades(3, longs=1)
case("prices-only-long.csv", table("buy_date,buy_price,sell_date,sell_price,shares",
    [(stamp(t.entry), t.entry_price, stamp(t.exit), t.exit_price, t.qty) for t in l]), "trades", of(l, "gross"),
    warns=["profits_computed"], **ASKS)
case("entry-exit-are-prices.csv", table("date,symbol,shares,entry,exit,pnl,pnl_pct,reason",
    [(stamp(t.exit), t.symbol, t.qty, t.entry_price, t.exit_price, t.gross, round(t.share, 4), "x") for t in l]), "trades",
    realised([(t.exit, t.gross) for t in l], 10000, l[0].exit, l[-1].exit), **ASKS)
case("signed-size.csv", table("EntryTime,ExitTime,Size,EntryPrice,ExitPrice",
    [(stamp(t.entry), stamp(t.exit), t.qty if i % 2 else -t.qty, t.entry_price, t.exit_price) for i, t in enumerate(l)]), "trades",
    realised([(t.exit, (1 if i % 2 else -1) * t.qty * (t.exit_price - t.entry_price)) for i, t in enumerate(l)], 10000,
             l[0].entry, l[-1].exit), **ASKS)
case("unix-milliseconds.csv", table("symbol,open_time,close_time,qty,open_rate,close_rate,profit_abs,is_short",
    [(t.symbol, int(t.entry.replace(tzinfo=timezone.utc).timestamp() * 1000), int(t.exit.replace(tzinfo=timezone.utc).timestamp() * 1000),
      t.qty, t.entry_price, t.exit_price, t.net, "False") for t in l]), "trades", of(l), **ASKS)
case("date-and-time-apart.csv", table("Entry Date,Entry Time,Exit Date,Exit Time,Side,Net Profit",
    [(t.entry.strftime("%Y-%m-%d"), t.entry.strftime("%H:%M:%S"), t.exit.strftime("%Y-%m-%d"), t.exit.strftime("%H:%M:%S"), "Long", t.net)
     for t in l]), "trades", of(l), **ASKS)
case("total-and-open.csv", table("entry,exit,ticker,status,profit",
    [(stamp(t.entry), stamp(t.exit), t.symbol, "closed", t.net) for t in l]
    + [(stamp(l[-1].exit), "", "BTC/USDT", "open", ""), ("Total", "", "", "", round(sum(t.net for t in l), 4))]),
    "trades", of(l), warns=["open_trades"], **ASKS)
balance, rows = 5000, []
for t in l:
    balance = round(balance + t.net, 4)
    rows.append((stamp(t.entry), stamp(t.exit), t.net, t.fee, balance))
case("balance-after.csv", table("opened_at,closed_at,pnl,fee,equity", rows), "trades", of(l, capital=5000),
     capital=5000, warns=["capital_inferred"], warns_not=["fees_taken_off"])
balance, rows = 5000, []
for t in l:
    rows.append((stamp(t.entry), stamp(t.exit), t.gross, t.fee, balance))
    balance = round(balance + t.net, 4)
case("balance-before.csv", table("opened_at,closed_at,pnl,fee,account balance", rows), "trades", of(l, capital=5000),
     capital=5000, warns=["capital_inferred", "fees_taken_off"])
shares = [round(100 * t.share, 3) for t in l]
allIn = compounded(l, [share / 100 for share in shares])
ALL_IN = {"asks": ["allIn"], "options": {"allIn": True}}
case("percent-cells.csv", table("entry time,exit time,return",
    [(stamp(t.entry), stamp(t.exit), f"{share}%") for t, share in zip(l, shares)]), "trades", allIn, **ALL_IN)
case("percent-by-name.csv", table("entry time,exit time,profit_pct",
    [(stamp(t.entry), stamp(t.exit), share) for t, share in zip(l, shares)]), "trades", allIn, **ALL_IN)
case("fractions.csv", table("entry time,exit time,return",
    [(stamp(t.entry), stamp(t.exit), f"{share / 100:.5f}") for t, share in zip(l, shares)]), "trades", allIn, **ALL_IN)
case("percent-called-fraction.csv", table("entry time,exit time,entry price,exit price,pnl_pct",
    [(stamp(t.entry), stamp(t.exit), t.entry_price, t.exit_price, f"{share / 100:.5f}") for t, share in zip(l, shares)]),
    "trades", allIn, **ALL_IN)
case("return-in-percent.csv", table("entry time,exit time,return",
    [(stamp(t.entry), stamp(t.exit), share) for t, share in zip(l, shares)]), "trades", allIn,
    asks=["unit", "allIn"], options={"allIn": True, "unit": "percent"})
case("percent-of-stake.csv", table("pair,open date,close date,stake amount,profit %",
    [(t.symbol, stamp(t.entry), stamp(t.exit), 250, share) for t, share in zip(l, shares)]), "trades",
    realised([(t.exit, 250 * share / 100) for t, share in zip(l, shares)], 10000, l[0].entry, l[-1].exit), **ASKS)
l = trades(4, symbols=("BTCUSDT", "ETHUSDT"))
case("closing-direction.csv", table("Contracts,Closing Direction,Qty,Entry Price,Exit Price,Closed P&L,Exit Type,Trade Time(UTC+0),Order No.",
    [(t.symbol, "Close Long" if t.long else "Close Short", t.qty, t.entry_price, t.exit_price, t.net, "Trade", stamp(t.exit), i)
     for i, t in enumerate(l)]), "trades", realised([(t.exit, t.net) for t in l], 10000, l[0].exit, l[-1].exit), **ASKS)
rows = [(t.symbol, f"B{i}", f"S{i}", t.qty, *((t.entry_price, t.exit_price) if t.long else (t.exit_price, t.entry_price)),
         f"${t.net:.2f}" if t.net >= 0 else f"$({-t.net:.2f})",
         *((stamp(t.entry), stamp(t.exit)) if t.long else (stamp(t.exit), stamp(t.entry)))) for i, t in enumerate(l)]
case("bought-and-sold.csv", table("symbol,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp", rows),
    "tradovate", realised([(t.exit, round(t.net, 2)) for t in l], 10000, l[0].entry, l[-1].exit), **ASKS)
case("bought-and-sold-own.csv", table("asset,bought at,bought for,sold at,sold for,units",
    [(t.symbol, *((stamp(t.entry), t.entry_price, stamp(t.exit), t.exit_price) if t.long else (stamp(t.exit), t.exit_price, stamp(t.entry), t.entry_price)), t.qty)
     for t in l]).replace("bought for", "bought price").replace("sold for", "sold price"), "trades", of(l, "gross"), **ASKS)
case("indian.csv", table("Symbol;Buy Date;Sell Date;Quantity;Realized P&L",
    [(t.symbol, t.entry.strftime("%Y-%m-%d"), t.exit.strftime("%Y-%m-%d"), t.qty, ("-" if t.net < 0 else "") + "₹1,23,4" + f"{10 + i}.50")
     for i, t in enumerate(l)], ";"), "trades",
    realised([(t.exit, (-1 if t.net < 0 else 1) * (123400 + 10 + i + 0.5)) for i, t in enumerate(l)], 9000000, l[0].entry, l[-1].exit),
    asks=["startingCapital"], options={"startingCapital": 9000000})


# ---- fills -----------------------------------------------------------------------------------------------------------
class Fill:
    def __init__(self, time, symbol, buys, qty, price, fee):
        self.time, self.symbol, self.buys, self.qty, self.price, self.fee = time, symbol, buys, qty, price, fee


def fills(seed, count=40, symbols=("BTC/USDT",), shorts=False, start=datetime(2023, 5, 2, 10), price=100.0, at=None):
    """Purchases in parts, sales of part of what is held; ends with something open."""
    rng = random.Random(seed)
    prices = dict(zip(symbols, at)) if at else {s: price * (1 + i) for i, s in enumerate(symbols)}
    held, now, out = dict.fromkeys(symbols, 0.0), start, []
    for _ in range(count):
        now += timedelta(minutes=rng.randrange(40, 1500))
        symbol = rng.choice(symbols)
        prices[symbol] = round(prices[symbol] * (1 + rng.gauss(0.001, 0.02)), 2)
        closes = abs(held[symbol]) > 0 and rng.random() < 0.55
        sign = (1 if held[symbol] > 0 else -1) if held[symbol] else (-1 if shorts and rng.random() < 0.5 else 1)
        qty = round(abs(held[symbol]) * rng.choice([0.5, 1]), 4) if closes else rng.choice([1, 2, 2.5])
        out.append(Fill(now, symbol, (sign > 0) != closes, qty, prices[symbol], round(qty * prices[symbol] * 0.001, 4)))
        held[symbol] = round(held[symbol] + (qty if out[-1].buys else -qty), 4)
    return out


def matched(list_, paid=True):
    """(moment, profit, fill or None) by average cost, what is open valued at its last price on the last day."""
    held, cost, fees, last, out = {}, {}, {}, {}, []
    for f in list_:
        signed = f.qty if f.buys else -f.qty
        h = held.get(f.symbol, 0.0)
        fee = f.fee if paid else 0
        last[f.symbol] = f.price
        if h * signed >= 0:
            held[f.symbol] = h + signed
            cost[f.symbol] = cost.get(f.symbol, 0) + f.qty * f.price
            fees[f.symbol] = fees.get(f.symbol, 0) + fee
            out.append((f.time, 0.0, f))
            continue
        assert f.qty <= abs(h) + 1e-9
        part = f.qty / abs(h)
        profit = (f.qty * f.price - part * cost[f.symbol]) * (1 if h > 0 else -1) - part * fees[f.symbol] - fee
        held[f.symbol] = h + signed if abs(h + signed) > 1e-9 else 0.0
        cost[f.symbol] *= 1 - part
        fees[f.symbol] *= 1 - part
        out.append((f.time, profit, f))
    for symbol, h in held.items():
        if h:
            profit = (abs(h) * last[symbol] - cost[symbol]) * (1 if h > 0 else -1) - fees[symbol]
            out.append((list_[-1].time, profit, None))
    return out


def of_fills(list_, capital=10000, **more):
    return realised([(time, profit) for time, profit, _ in matched(list_, **more)], capital, list_[0].time, list_[-1].time)


word = lambda f: "buy" if f.buys else "sell"
f1 = fills(11)
case("fills-plain.csv", table("timestamp,action,price,amount,fee", [(stamp(f.time), word(f), f.price, f.qty, f.fee) for f in f1]),
    "fills", of_fills(f1), warns=["profits_computed", "open_valued"], **ASKS)
case("japanese-fills.csv", table("約定日時,売買,銘柄,約定数量,約定価格,手数料",
    [(f.time.strftime("%Y/%m/%d %H:%M:%S"), "買" if f.buys else "売", f.symbol, f.qty, f.price, f.fee) for f in f1]),
    "fills", of_fills(f1), warns=["profits_computed", "open_valued"], **ASKS)
case("fills-newest-first.csv", table("Date,Type,Symbol,Executed Price,Filled Qty,Total,Commission",
    [(stamp(f.time), word(f).title(), f.symbol, f.price, f.qty, round(f.price * f.qty, 4), f.fee) for f in reversed(f1)]),
    "fills", of_fills(f1), **ASKS)
case("binance-2021.csv", table("Date(UTC),Market,Type,Price,Amount,Total,Fee,Fee Coin",
    [(stamp(f.time), "BTCUSDT", word(f).upper(), f.price, f.qty, round(f.price * f.qty, 4), f.fee, "USDT") for f in reversed(f1)]),
    "fills", of_fills(f1), **ASKS)
case("binance-2024.csv", table("Date(UTC),Pair,Side,Price,Executed,Amount,Fee",
    [(stamp(f.time), "BTCUSDT", word(f).upper(), f.price, f"{f.qty}BTC", f"{round(f.price * f.qty, 4)}USDT", f"{f.fee}USDT") for f in reversed(f1)]),
    "fills", of_fills(f1), **ASKS)
case("fees-in-bnb.csv", table("Date(UTC),Pair,Side,Price,Executed,Amount,Fee",
    [(stamp(f.time), "BTCUSDT", word(f).upper(), f.price, f"{f.qty}BTC", f"{round(f.price * f.qty, 4)}USDT", "0.0001BNB") for f in f1]),
    "fills", of_fills(f1, paid=False), warns=["fees_left_out"], **ASKS)
two = fills(12, count=60, symbols=("XXBTZEUR", "XETHZEUR"))
case("kraken.csv", table('"txid","ordertxid","pair","time","type","ordertype","price","cost","fee","vol","margin","misc","ledgers"',
    [(f'"T{i}"', f'"O{i}"', f'"{f.symbol}"', f'"{stamp(f.time)}.1234"', f'"{word(f)}"', '"limit"', f.price, round(f.price * f.qty, 5), f.fee, f.qty, "0.00000", '""', f'"L{i}"')
     for i, f in enumerate(two)]), "fills", of_fills(two), **ASKS)
case("coinbase-fills.csv", table("portfolio,trade id,product,side,created at,size,size unit,price,fee,total,price/fee/total unit",
    [("default", i, "BTC-USD", word(f).upper(), f.time.isoformat() + ".311Z", f.qty, "BTC", f.price, f.fee,
      round(-(f.price * f.qty + f.fee) if f.buys else f.price * f.qty - f.fee, 6), "USD") for i, f in enumerate(f1)]),
    "fills", of_fills(f1), **ASKS)
case("kucoin.csv", table("UID,Account Type,Order ID,Order Time(UTC+08:00),Symbol,Side,Order Type,Order Price,Order Amount,Avg. Filled Price,Filled Amount,"
    "Filled Volume,Filled Volume (USDT),Filled Time(UTC+08:00),Fee,Fee Currency,Tax,Status",
    [("u1", "mainAccount", i, stamp(f.time + timedelta(hours=8, minutes=-3)), "BTC-USDT", word(f), "limit", f.price, f.qty, f.price, f.qty, round(f.price * f.qty, 4),
      round(f.price * f.qty, 4), stamp(f.time + timedelta(hours=8)), f.fee, "USDT", "", "deal") for i, f in enumerate(f1)]),
    "fills", of_fills(f1), **ASKS)
case("ccxt.csv", table("info,timestamp,datetime,symbol,id,order,type,takerOrMaker,side,price,amount,cost,fee,fees",
    [('"{\'id\': \'1\'}"', int(f.time.replace(tzinfo=timezone.utc).timestamp() * 1000), f.time.isoformat() + ".000Z", "BTC/USDT", i, 100 + i, "limit", "taker",
      word(f), f.price, f.qty, round(f.price * f.qty, 6), f'"{{\'cost\': {f.fee}, \'currency\': \'USDT\', \'rate\': 0.001}}"', "[]") for i, f in enumerate(f1)]),
    "fills", of_fills(f1), **ASKS)
case("ccxt.json", json.dumps([{"id": str(i), "timestamp": int(f.time.replace(tzinfo=timezone.utc).timestamp() * 1000), "symbol": "BTC/USDT",
    "side": word(f), "price": f.price, "amount": f.qty, "cost": round(f.price * f.qty, 6), "fee": {"cost": f.fee, "currency": "USDT"}} for i, f in enumerate(f1)]),
    "fills", of_fills(f1), **ASKS)
case("signed-amounts.csv", table("#,PAIR,AMOUNT,PRICE,FEE,FEE PERC,FEE CURRENCY,DATE,ORDER ID",
    [(i, "BTC:USD", f.qty if f.buys else -f.qty, f.price, -f.fee, 0.1, "USD", stamp(f.time), 900 + i) for i, f in enumerate(f1)]),
    "fills", of_fills(f1), **ASKS)
shares = fills(13, symbols=("AAPL", "MSFT"))
case("flex-query.csv", table('"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","DateTime","Exchange","Quantity","TradePrice","IBCommission","IBCommissionCurrency","Buy/Sell","LevelOfDetail"',
    [('"U1"', '"USD"', '"STK"', f'"{f.symbol}"', f'"{f.time.strftime("%Y%m%d;%H%M%S")}"', '"NASDAQ"', f.qty if f.buys else -f.qty, f.price, -f.fee, '"USD"',
      f'"{word(f).upper()}"', '"EXECUTION"') for f in shares]), "fills", of_fills(shares), **ASKS)
m = matched(f1)
bot = [(stamp(f.time), "BTCUSDT", word(f).upper(), f.price, f.qty, round(p, 4) if p else "", ) for _, p, f in m if f]
closed = [(time, round(p, 4)) for time, p, f in m if f and p]
case("bot-with-profit.csv", table("timestamp,symbol,side,price,quantity,pnl", bot), "fills",
    realised(closed, 10000, f1[0].time, f1[-1].time), warns=["open_trades"], **ASKS)
g = matched(f1, paid=False)
fee_of_open = sum(f.fee for f in f1)
cash, rows = 8000.0, []
for f in f1:
    cash = round(cash + (-1 if f.buys else 1) * f.price * f.qty - f.fee, 4)
    rows.append((stamp(f.time), word(f), f.price, f.qty, f.fee, cash))
case("bot-with-cash.csv", table("date,action,price,shares,commission,cash", rows), "fills", of_fills(f1, capital=8000), capital=8000)
short = fills(14, shorts=True)
held, rows, events = 0.0, [], []
for f in short:
    signed = f.qty if f.buys else -f.qty
    opens = held * signed >= 0
    long = f.buys if opens else not f.buys
    rows.append((stamp(f.time), "OPEN" if opens else "CLOSE", "LONG" if long else "SHORT", f.price, f.qty, f.fee))
    events.append((stamp(f.time), {(True, True): "buy", (True, False): "sell", (False, True): "sell short", (False, False): "buy to cover"}[(long, opens)], f.price, f.qty, f.fee))
    held = round(held + signed, 4)
case("open-close-long-short.csv", table("time,action,direction,price,size,fee", rows), "fills", of_fills(short), **ASKS)
case("short-and-cover.csv", table("time,order,price,size,fee", events).replace("time,order", "time,action"), "fills", of_fills(short), **ASKS)
case("lean-order-events.json", json.dumps([event for i, f in enumerate(short) for event in (
    {"id": f"{i}-1", "algorithm-id": "a", "order-id": i, "symbol": "BTCUSD 18R", "time": f.time.replace(tzinfo=timezone.utc).timestamp() - 1, "status": "submitted",
     "fill-price": 0.0, "fill-quantity": 0.0, "direction": word(f), "quantity": f.qty if f.buys else -f.qty, "is-assignment": False},
    {"id": f"{i}-2", "algorithm-id": "a", "order-id": i, "symbol": "BTCUSD 18R", "time": f.time.replace(tzinfo=timezone.utc).timestamp(), "status": "filled",
     "order-fee-amount": f.fee, "order-fee-currency": "USD", "fill-price": f.price, "fill-price-currency": "USD", "fill-quantity": f.qty if f.buys else -f.qty,
     "direction": word(f), "quantity": f.qty if f.buys else -f.qty, "is-assignment": False})]), "quantconnect-orders", of_fills(short), **ASKS)
# A fee in the coin: of each purchase a thousandth is kept, and less is sold later.
coin, rows, events, held, cost = [], [], [], 0.0, 0.0
for f in fills(15):
    if f.buys:
        fee = round(f.qty * 0.001, 6)
        held, cost = held + f.qty - fee, cost + f.qty * f.price
        rows.append((stamp(f.time), "SOL/USDC", "buy", f.price, f.qty, fee, "SOL"))
    else:
        qty = round(min(f.qty, held), 6) if f.qty < held * 0.99 else round(held, 6)
        part = qty / held
        events.append((f.time, qty * f.price - part * cost))
        held, cost = held - qty, cost * (1 - part)
        rows.append((stamp(f.time), "SOL/USDC", "sell", f.price, qty, 0, "SOL"))
    coin.append(f)
if held > 1e-6:
    events.append((coin[-1].time, held * coin[-1].price - cost))
case("fees-in-the-coin.csv", table("date,market,side,price,volume,fee,fee asset", rows), "fills",
    realised(events, 10000, coin[0].time, coin[-1].time), **ASKS)
case("sold-unbought.csv", table("time,symbol,side,price,qty", [("2024-01-02 10:00", "ETH/EUR", "buy", 100, 2), ("2024-01-03 10:00", "ETH/EUR", "sell", 101, 2.001),
    ("2024-01-05 10:00", "ETH/EUR", "sell", 103, 1), ("2024-01-09 10:00", "ETH/EUR", "buy", 100, 2)]), "fills",
    refused="line 4 sells 1 of ETH/EUR where 0 are held", options={"startingCapital": 1000})
case("two-currencies.csv", table("time,symbol,side,price,qty", [("2024-01-02 10:00", "ETH/BTC", "buy", 0.05, 2), ("2024-01-03 12:00", "ETH/BTC", "sell", 0.051, 2),
    ("2024-01-05 10:00", "BTC/USDT", "buy", 40000, 1), ("2024-01-05 18:00", "BTC/USDT", "sell", 41000, 1)]), "fills",
    refused="priced in BTC and USD", options={"startingCapital": 1000})
l = trades(3, longs=1)
case("no-quantity.csv", table("timestamp,action,symbol,price",
    [row for t in l for row in ((stamp(t.entry), "Buy", "NSE:RELIANCE-EQ", t.entry_price), (stamp(t.exit), "Sell", "NSE:RELIANCE-EQ", t.exit_price))]),
    "fills", compounded(l, [t.exit_price / t.entry_price - 1 for t in l]), **ALL_IN)


# ---- strangers -------------------------------------------------------------------------------------------------------
# What is traded stands under names that no list has, beside columns that are the same in each row.
SHARES = ("Alpha Foods", "Beta Steel", "Gamma Bank")
CODES = dict(zip(SHARES, ("600519", "000858", "601318")))
s1 = fills(51, count=60, symbols=SHARES, at=(10.0, 500.0, 90.0))
ONE = dict(format="fills", returns=of_fills(s1), warns=["profits_computed"], **ASKS)
BY_VALUE = {**ONE, "warns": ["profits_computed", "asset_by_value"]}
case("asset-company.csv", table("Trade Time,Instrument Type,company_name,Side,Quantity,Price,Brokerage",
    [(stamp(f.time), "Equity", f.symbol, word(f), f.qty, f.price, f.fee) for f in s1]), **ONE)
case("asset-scrip.csv", table("Exchange Time,Segment,Market,Scrip Name,Trade Type,Qty,Price,Charges",
    [(stamp(f.time), "EQ", "NSE", f.symbol, word(f).upper(), f.qty, f.price, f.fee) for f in s1]), **ONE)
case("asset-exchange-varies.csv", table("date,market,product,name,action,shares,price,commission",
    [(stamp(f.time), ("NSE", "BSE")[i % 2], "CNC", f.symbol, word(f), f.qty, f.price, f.fee) for i, f in enumerate(s1)]), **BY_VALUE)
case("asset-code.csv", table("time,code,direction,qty,price,fee",
    [(stamp(f.time), CODES[f.symbol], word(f), f.qty, f.price, f.fee) for f in s1]), **BY_VALUE)
case("asset-chinese.csv", table("成交时间,证券代码,证券名称,操作,成交数量,成交均价,手续费",
    [(stamp(f.time), CODES[f.symbol], f.symbol, "证券买入" if f.buys else "证券卖出", f.qty, f.price, f.fee) for f in s1]), **ONE)
case("asset-korean.csv", table("체결시간,종목명,매매구분,수량,체결가,수수료",
    [(stamp(f.time), f.symbol, "매수" if f.buys else "매도", f.qty, f.price, f.fee) for f in s1]), **ONE)
case("asset-german.csv", table("Datum;Gattung;Bezeichnung;Kauf/Verkauf;Stück;Kurs;Gebühren",
    [(f.time.strftime("%d.%m.%Y %H:%M:%S"), "Aktie", f.symbol, "Kauf" if f.buys else "Verkauf", comma(f.qty), comma(f.price), comma(f.fee)) for f in s1], ";"),
    encoding="cp1252", **BY_VALUE)
MIXED = [(stamp(f.time), "Equity", word(f), f.qty, f.price, f.fee) for f in s1]
ADVISED = {"format": "fills", "options": {"startingCapital": 10000}, "advice": {"symbol": [f.symbol for f in s1]}, "advised_return": figures(of_fills(s1))["total_return"]}
case("asset-nowhere.csv", table("time,side,qty,price,fee", [row[:1] + row[2:] for row in MIXED]), refused="tenfold within a day", **ADVISED)
case("asset-constant.csv", table("time,instrument,side,qty,price,fee", MIXED), refused="no column tells the assets apart", **ADVISED)
near = fills(52, count=60, symbols=SHARES, at=(100.0, 210.0, 340.0))
case("asset-nowhere-near.csv", table("time,side,qty,price,fee", [(stamp(f.time), word(f), f.qty, f.price, f.fee) for f in near]),
    refused="too far for one asset", **{**ADVISED, "advice": {"symbol": [f.symbol for f in near]}, "advised_return": figures(of_fills(near))["total_return"]})
case("asset-unbought.csv", table("date,segment,scrip name,side,quantity,price",
    [("2023-03-01", "EQ", "Alpha Foods", "buy", 10, 10.0), ("2023-03-02", "EQ", "Beta Steel", "buy", 5, 500.0), ("2023-03-03", "EQ", "Beta Steel", "sell", 5, 510.0),
     ("2023-03-06", "EQ", "Gamma Bank", "sell", 7, 90.0), ("2023-03-07", "EQ", "Alpha Foods", "sell", 10, 11.0)]),
    "fills", refused="sells 7 of Gamma Bank where 0 are held: a purchase is missing", options={"startingCapital": 10000})

# A profit of a sale is net of both fees, and last lots are sold first: sums tell it, whatever the lots.
rng, now, price, lots, rows, events = random.Random(53), datetime(2023, 1, 3, 9), 100.0, [], [], []
for i in range(160):
    price, now = round(price * (1 + rng.gauss(0, 0.01)), 2), now + timedelta(hours=7)
    if i < 80 and (len(lots) < 3 or rng.random() < 0.5) or not lots:
        if i >= 80:
            break
        qty = round(rng.uniform(1, 3), 2)
        lots.append((len(rows) + 1, qty, price, round(0.001 * qty * price, 4)))
        rows.append((stamp(now), "AAA", "buy", qty, price, lots[-1][3], "", lots[-1][0]))
    else:
        number, qty, bought, paid = lots.pop()
        fee = round(0.001 * qty * price, 4)
        net = round(qty * (price - bought) - paid - fee, 4)
        rows.append((stamp(now), "AAA", "sell", qty, price, fee, net, number))
        events.append((now, net, fee))
first, last = datetime.fromisoformat(rows[0][0]), datetime.fromisoformat(rows[-1][0])
HEAD = "timestamp,symbol,side,quantity,price,fee,realized_pnl"
NET = dict(format="fills", returns=realised([(at, net) for at, net, _ in events], 10000, first, last), warns_not=["fees_taken_off"], judged="realized_pnl", **ASKS)
case("fees-in-the-profit-lots.csv", table(HEAD + ",lot_id", rows), **NET)
case("fees-in-the-profit.csv", table(HEAD, [row[:-1] for row in rows]), **NET)

# Runs of one backtest in one list.
rng, rows, by_run = random.Random(54), [], {}
for strategy in ("MACD", "RSI", "MeanRev"):
    made = [(datetime(2022, 1, 3) + timedelta(days=rng.randrange(300)), rng.randrange(1, 5), rng.choice(("AAPL", "MSFT", "NVDA")), rng.gauss(0.004, 0.02)) for _ in range(20)]
    for size in (20, 50, 80):
        for entry, days, symbol, share in made:
            profit = round(100 * size * share, 2)
            rows.append((symbol, strategy, f"{size}%", entry.date(), (entry + timedelta(days=days)).date(), profit))
            by_run.setdefault((strategy, size), []).append((entry + timedelta(days=days), profit))
first, last = min(row[3] for row in rows), max(row[4] for row in rows)
at = lambda each: datetime(each.year, each.month, each.day)
of_run = lambda events: realised(events, 10000, at(first), at(last))
case("runs-copies.csv", table("Stock,Strategy,Position Size,Entry Date,Exit Date,PnL", rows), "trades", of_run(by_run["MACD", 20]), warns=["runs_told"], variants=9, judged="PnL", **ASKS)
full = [row for row in rows if row[2] == "80%"]
RUNS = {"asks": ["leaveOut"], "variants": 3}
case("runs-asked.csv", table("exit_time,strategy_name,symbol,pnl", [(row[4], row[1], row[0], row[5]) for row in full]), "trades",
    realised(by_run["MACD", 80], 10000, min(at(row[4]) for row in full), max(at(row[4]) for row in full)), **{**RUNS, "options": {"leaveOut": ["none"], "startingCapital": 10000}})
case("runs-one-account.csv", table("Fecha entrada;Fecha salida;Estrategia;Beneficio",
    [(row[3].strftime("%d/%m/%Y"), row[4].strftime("%d/%m/%Y"), row[1], comma(row[5])) for row in full], ";"), "trades",
    realised([(at(row[4]), row[5]) for row in full], 10000, at(first), at(last)), **{**RUNS, "variants": 1, "options": {"leaveOut": ["Estrategia"], "startingCapital": 10000}})

# The profit of each sale and no price; what a column says that the account began with.
rng, rows, events = random.Random(55), [], []
for i in range(40):
    moment, profit = datetime(2023, 1, 1) + timedelta(days=2 * i), round(rng.gauss(-0.5, 9), 2)
    rows += [(moment.date(), "Buy", 180 + i, ""), ((moment + timedelta(days=1)).date(), "Sell", "0.0", profit)]
    events.append((moment + timedelta(days=1), profit))
held = realised(events, 1000, datetime(2023, 1, 1), events[-1][0])
PRICELESS = dict(format="fills", returns=held, judged="Profit")
case("profit-without-price.csv", table("Date,Action,Shares,Profit", rows), **PRICELESS, asks=["startingCapital"], options={"startingCapital": 1000})
case("initial-balance.csv", table("Date,Action,Shares,Profit,Initial Balance", [(*row, "1000.00") for row in rows]), **PRICELESS, capital=1000, warns=["capital_inferred"])
case("initial-balance-german.csv", table("Datum;Aktion;Stück;Gewinn;Anfangskapital",
    [(row[0], "Kauf" if row[1] == "Buy" else "Verkauf", comma(row[2]), comma(row[3]), "1.000,00") for row in rows], ";"), **{**PRICELESS, "judged": "Gewinn"}, capital=1000, warns=["capital_inferred"])

# An exit and a profit; realised profits with one time and fees; what is no money.
case("exit-and-profit.csv", table("exit_time,pnl", [(stamp(moment), profit) for moment, profit in events]), "trades",
    realised(events, 10000, events[0][0], events[-1][0]), judged="pnl", **ASKS)
case("realised-with-fee.csv", table("timestamp,symbol,realized_pnl,fee", [(stamp(moment), "BTCUSDT", profit, 1.2) for moment, profit in events]), "trades",
    realised([(moment, profit - 1.2) for moment, profit in events], 10000, events[0][0], events[-1][0]), warns=["fees_taken_off"], judged="realized_pnl", **ASKS)
MONEY = {"refused": "add a column pnl with the profit of each in money", "advice": {"pnl": [profit for _, profit in events]}, "options": {"startingCapital": 10000}}
for name, header, row in (("r-multiple", "entry_time,exit_time,symbol,side,r_multiple", lambda a, b, v: (stamp(a), stamp(b), "EURUSD", "long", v)),
                          ("pnl-in-r", "exit_time,pnl_r", lambda a, b, v: (stamp(b), v)), ("pips", "Open Date,Close Date,Pair,Pips", lambda a, b, v: (a.date(), b.date(), "GBPUSD", v)),
                          ("result-in-points", "date,pair,direction,result_points", lambda a, b, v: (b.date(), "ES", "short", v))):
    case(f"in-{name}.csv", table(header, [row(moment - timedelta(days=1), moment, round(profit / 9, 2)) for moment, profit in events]), "trades", **MONEY,
        advised_return=figures(realised(events, 10000, events[0][0], events[-1][0]))["total_return"])

# The income of an account on futures.
rng, rows, events = random.Random(56), [], []
for i in range(90):
    moment, kind = datetime(2024, 1, 1, 9) + timedelta(hours=20 * i), ("REALIZED_PNL", "COMMISSION", "FUNDING_FEE")[i % 3]
    amount = round({"REALIZED_PNL": rng.gauss(1, 12), "COMMISSION": -0.8, "FUNDING_FEE": rng.gauss(0, 0.3)}[kind], 4)
    rows.append((moment, kind, amount))
    events.append((moment, amount))
held = realised(events, 10000, events[0][0], events[-1][0])
case("income.csv", table("Date(UTC),Symbol,Type,Amount,Asset", [(stamp(t), "BTCUSDT", kind, amount, "USDT") for t, kind, amount in rows]), "income", held, judged="Amount", **ASKS)
case("income-api.csv", table("symbol,incomeType,income,asset,info,time,tranId",
    [("", "TRANSFER", "10000", "USDT", "", 1704000000000, 0)] + [("BTCUSDT", kind, amount, "USDT", "", int(t.replace(tzinfo=timezone.utc).timestamp() * 1000), i) for i, (t, kind, amount) in enumerate(rows)]
    + [("BTCUSDT", "COMMISSION", "-0.001", "BNB", "", 1709000000000, 99)]), "income", held, capital=10000, judged="income", warns=["fees_left_out"])
case("income-words.csv", table("Time;Type;Contract;Change;Currency",
    [(stamp(t), {"REALIZED_PNL": "Realized PnL", "COMMISSION": "Trading fee", "FUNDING_FEE": "Funding"}[kind], "ETH-PERP", comma(amount), "USDC") for t, kind, amount in rows], ";"), "income", held, judged="Change", **ASKS)
case("income-in-coins.csv", table("Date(UTC),Symbol,Type,Amount,Asset", [(stamp(t), "BTCUSD", kind, amount, "BTC") for t, kind, amount in rows]), "income", refused="some profits are in BTC", options={"startingCapital": 1})


# ---- tools -----------------------------------------------------------------------------------------------------------
l = trades(21, symbols=("EURUSD",), qty=1)
for t in l:
    t.profit = round(t.gross * 7, 2)
dots = lambda moment: moment.strftime("%Y.%m.%d %H:%M:%S")
cells = lambda row: "<tr align=right>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
closed_rows = [(9000 + i, dots(t.entry), order(t).lower(), "0.70", "eurusd", t.entry_price, "0.00", "0.00", dots(t.exit), t.exit_price, "-3.50", "0.00", "-0.25", t.profit)
               for i, t in enumerate(l)]
paid = [(l[0].entry - timedelta(days=2), "10 000.00", 10000), (l[12].exit - timedelta(minutes=5), "2 500.00", 2500), (l[18].exit - timedelta(minutes=5), "-1 000.00", -1000)]
flows = [(moment, amount) for moment, _, amount in paid[1:]]
money_rows = [f"<tr align=right><td>{i}</td><td class=msdate nowrap>{dots(moment)}</td><td>balance</td><td colspan=10 align=left>Deposit</td><td class=mspt>{text}</td></tr>"
              for i, (moment, text, _) in enumerate(paid)]
net = realised([(t.exit, t.profit - 3.75) for t in l], 10000, l[0].entry, l[-1].exit, flows)
case("mt4-statement.htm", "<html><head><title>Statement: 1 - Name</title></head><body><table>" + cells(["Ticket", "Open Time", "Type", "Size", "Item", "Price", "S / L", "T / P",
    "Close Time", "Price", "Commission", "Taxes", "Swap", "Profit"]) + "\n".join([money_rows[0]] + [cells(row) for row in closed_rows[:12]] + [money_rows[1]]
    + [cells(row) for row in closed_rows[12:]] + [money_rows[2]]) + cells(("77", dots(l[-1].exit), "buy", "0.70", "eurusd", 100, "0.00", "0.00", "&nbsp;", 101, "-3.5", "0", "0", "5.00"))
    + cells(("78", dots(l[0].entry), "buy limit", "0.70", "eurusd", 100, "0", "0", dots(l[1].exit), 101, "cancelled")) + "</table></body></html>\n",
    "mt4-statement", net, capital=10000, warns=["open_trades"])
balance, number, rows, events = 10000, 0, [], []
def line(moment, type_, order_, size, price, profit=None):
    global number
    number += 1
    tail = f"<td>{profit:.2f}</td><td>{balance:.2f}</td>" if profit is not None else "<td colspan=2></td>"
    rows.append(f"<tr align=right><td>{number}</td><td class=msdate>{moment.strftime('%Y.%m.%d %H:%M')}</td><td>{type_}</td><td>{order_}</td>"
                f"<td>{size}</td><td>{price}</td><td>0.00000</td><td>0.00000</td>{tail}</tr>")
for i, t in enumerate(l):
    line(t.entry, order(t).lower(), 2 * i + 1, "1.00", t.entry_price)
    line(t.entry + timedelta(minutes=20), "modify", 2 * i + 1, "1.00", t.entry_price)
    half = round(t.profit / 2, 2)
    balance = round(balance + half, 2)
    line(t.entry + timedelta(minutes=40), "close", 2 * i + 1, "0.50", t.exit_price, half)
    events.append((t.entry + timedelta(minutes=40), half))
    balance = round(balance + half, 2)
    line(t.exit, "t/p" if i % 2 else "s/l", 2 * i + 2, "0.50", t.exit_price, half)
    events.append((t.exit, half))
case("mt4-tester-german.htm", "<html><head><title>Strategy Tester: X</title></head><body><table><tr><td colspan=2>Zeitraum</td><td colspan=4>1 Stunde (H1) "
    + (l[0].entry - timedelta(days=3)).strftime("%Y.%m.%d 00:00 - ") + (l[-1].exit + timedelta(days=2)).strftime("%Y.%m.%d 23:00")
    + " (2023.01.01 - 2024.01.01)</td></tr><tr><td>Ursprüngliche Einlage</td><td>10000.00</td></tr></table><table>"
    + cells(["#", "Zeit", "Typ", "Order", "Größe", "Preis", "S / L", "T / P", "Gewinn", "Kontostand"]) + "\n".join(rows) + "</table></body></html>\n",
    "mt4-report", realised(events, 10000, l[0].entry - timedelta(days=3), l[-1].exit + timedelta(days=2)), capital=10000, encoding="cp1252")
case("mt5-positions.csv", table("Time\tPosition\tSymbol\tType\tVolume\tPrice\tS / L\tT / P\tTime\tPrice\tCommission\tSwap\tProfit",
    [(dots(t.entry), i, "EURUSD", order(t).lower(), "0.70", t.entry_price, "", "", dots(t.exit), t.exit_price, "-3.50", "-0.25", t.profit) for i, t in enumerate(l)], "\t"),
    "mt5-positions", realised([(t.exit, t.profit - 3.75) for t in l], 10000, l[0].entry, l[-1].exit), **ASKS)
deals = [(dots(l[0].entry - timedelta(days=1)), 1, "", "balance", "", "", "", "", "0.00", "0.00", "10 000.00", "10 000.00")]
balance = 10000
for i, t in enumerate(l):
    for opens in (True, False):
        balance = round(balance - 1.75 + (0 if opens else t.profit), 2)
        deals.append((dots(t.entry if opens else t.exit), 2 * i + 2 + (not opens), "EURUSD", order(t).lower() if opens else ("sell" if t.long else "buy"), "in" if opens else "out", "0.70",
                      t.entry_price if opens else t.exit_price, 2 * i, "-1.75", "0.00", "0.00" if opens else f"{t.profit:.2f}", f"{balance:.2f}"))
case("mt5-deals-balance.csv", table("Time;Deal;Symbol;Type;Direction;Volume;Price;Order;Commission;Swap;Profit;Balance", deals, ";"), "mt5-deals",
    realised([(t.exit, t.profit - 3.5) for t in l], 10000, l[0].entry, l[-1].exit), capital=10000)
case("ninjatrader-french.csv", table("Trade-#;Instrument;Account;Strategy;Market pos.;Qty;Entry price;Exit price;Entry time;Exit time;Entry name;Exit name;Profit;Cum. net profit;Commission;MAE;MFE;ETD;Bars",
    [(i, "NQ 12-26", "Apex", "", "Long" if t.long else "Short", 1, comma(f"20 {int(t.entry_price)},25"), comma(f"20 {int(t.exit_price)},25"), t.entry.strftime("%d/%m/%Y %H:%M:%S"),
      t.exit.strftime("%d/%m/%Y %H:%M:%S"), "Entry", "Exit", comma(f"{t.profit:.2f}") + " $", "0,00 $", "0,00 $", "45,00 $", "220,00 $", "20,00 $", 7) for i, t in enumerate(l)], ";"),
    "ninjatrader", realised([(t.exit, t.profit) for t in l], 10000, l[0].entry, l[-1].exit), **ASKS)


def tradingview(name, header, types, capital=10000, open_=None, newest=False):
    entry_long, exit_long, entry_short, exit_short = types
    list_, total, rows = trades(31, fee=False, count=20), 0, []
    for i, t in enumerate(list_, 1):
        total = round(total + t.gross, 2)
        tail = (t.qty, round(t.qty * t.entry_price, 2), round(t.gross, 2), round(100 * t.share, 2), 5, 0.4, -4, -0.3, total, f"{100 * total / capital:.2f}")
        both = [(i, exit_long if t.long else exit_short, t.exit.strftime("%Y-%m-%d %H:%M"), "zu", t.exit_price, *tail),
                (i, entry_long if t.long else entry_short, t.entry.strftime("%Y-%m-%d %H:%M"), "los", t.entry_price, *tail)]
        rows += both
    if open_:
        tail = (1, 100, 3, 0.1, 5, 0.4, -4, -0.3, total + 3, f"{100 * (total + 3) / capital:.2f}")
        last = list_[-1].exit + timedelta(days=1)
        rows += [(21, exit_long, last.strftime("%Y-%m-%d %H:%M"), open_, 101, *tail), (21, entry_long, (last - timedelta(hours=5)).strftime("%Y-%m-%d %H:%M"), "los", 100, *tail)]
    returns = realised([(t.exit, round(t.gross, 2)) for t in list_], capital, list_[0].entry.replace(second=0), list_[-1].exit)
    case(name, "\ufeff" + table(header, rows[::-1] if newest else rows), "tradingview", returns, capital=capital, warns=["open_trades"] if open_ else ["capital_inferred"])


tradingview("tradingview-spanish.csv", "Trade number,Tipo,Fecha y hora,Señal,Precio USD,Tamaño (cant.),Tamaño de la posición (valor),PyG netas USD,PyG netas %,Desviación favorable USD,"
    "Desviación favorable %,Desviación adversa USD,Desviación adversa %,PyG acumuladas USD,PyG acumuladas %", ("Entrada en largo", "Salida en largo", "Entrada en corto", "Salida en corto"))
tradingview("tradingview-french.csv", "Numéro de trade,Type,Date et heure,Signal,Prix EUR,Taille (qté),Taille (valeur),P&P nets EUR,P&P nets %,Excursion favorable EUR,Excursion favorable %,"
    "Excursion défavorable EUR,Excursion défavorable %,P&P cumulés EUR,P&P cumulés %", ("Entrer en long", "Sortir du long", "Entrer en short", "Sortir du short"), open_="Ouvert")
tradingview("tradingview-russian.csv", "№ сделки,Тип,Дата и время,Сигнал,Цена USDT,Размер (кол-во),Размер (объём),Чистые ПР/УБ USDT,Чистые ПР/УБ %,Благоприятное отклонение USDT,"
    "Благоприятное отклонение %,Неблагоприятное отклонение USDT,Неблагоприятное отклонение %,Суммарные ПР/УБ USDT,Суммарные ПР/УБ %",
    ("Вход в лонг", "Выход из лонга", "Вход в шорт", "Выход из шорта"), newest=True)
tradingview("tradingview-japanese.csv", "トレード番号,タイプ,日時,シグナル,価格 JPY,サイズ（数量）,サイズ（値）,純損益 JPY,純損益 %,順行幅 JPY,順行幅 %,逆行幅 JPY,逆行幅 %,累積損益 JPY,累積損益 %",
    ("ロングエントリー", "ロング決済", "ショートエントリー", "ショート決済"), capital=20000)
tradingview("tradingview-chinese.csv", "交易 #,类型,日期和时间,信号,价格 USDT,仓位大小（数量）,仓位大小（价值）,净损益 USDT,净损益 %,有利波动 USDT,有利波动 %,不利波动 USDT,不利波动 %,累计损益 USDT,累计损益 %",
    ("多头进场", "多头出场", "空头进场", "空头出场"), open_="未平仓")

# Reports of an account: MetaTrader 4's summary in two languages, MetaTrader 5's history as HTML and as a workbook.
rng = random.Random(57)
days_ = [datetime(2024, 1, 8, 9) + timedelta(days=i) for i in range(50)]
profits = [round(rng.gauss(1, 8), 2) for _ in days_]
closed, floating = round(sum(profits), 2), -321.5
in_account = lambda more: realised([(t + timedelta(hours=6), p) for t, p in zip(days_, profits)] + [(days_[-1] + timedelta(hours=6), more)], 1000, days_[0], days_[-1])
for name, labels, more in (("mt4-floating", ("Deposit/Withdrawal:", "Credit Facility:", "Closed Trade P/L:", "Floating P/L:", "Margin:", "Balance:", "Equity:", "Free Margin:"), floating),
                           ("mt4-floating-spanish", ("Depósito/Retiro:", "Crédito:", "Beneficio cerrado:", "Beneficio flotante:", "Margen:", "Balance:", "Patrimonio:", "Margen libre:"), floating),
                           ("mt4-summary", ("Deposit/Withdrawal:", "Credit Facility:", "Closed Trade P/L:", "Floating P/L:", "Margin:", "Balance:", "Equity:", "Free Margin:"), 0.0)):
    row = lambda each: "<tr>" + "".join(f"<td>{cell}</td>" for cell in each) + "</tr>\n"
    rows = [row((1000 + i, dots(t), "buy", "0.10", "eurusd", "1.10000", "0.00000", "0.00000", dots(t + timedelta(hours=6)), "1.10100", "0.00", "0.00", "0.00", f"{p:.2f}")) for i, (t, p) in enumerate(zip(days_, profits))]
    if more:
        rows.append(row((2000, dots(days_[5]), "sell", "1.00", "eurusd", "1.08000", "0.00000", "0.00000", "", "1.08900", "0.00", "0.00", "0.00", f"{more:.2f}")))
    deposit, credit, made, floats, margin, balance, equity, free = labels
    rows += [row((deposit, "0.00", credit, "0.00", "")), row((made, f"{closed:.2f}", floats, f"{more:.2f}", margin, "1.00")), row((balance, f"{1000 + closed:,.2f}".replace(",", " "), equity, f"{1000 + closed + more:,.2f}".replace(",", " "), free, "1.00"))]
    case(f"{name}.htm", "<html><head><title>Statement: 1</title></head><body><table>" + "".join(rows) + "</table></body></html>\n", "mt4-statement", in_account(more), capital=1000,
        judged="Profit", warns=["capital_inferred"] + (["floating_counted"] if more else []), warns_not=["open_trades"])
rows, balance = [], 1000.0
for i, (t, p) in enumerate(zip(days_, profits)):
    balance = round(balance + p, 2)
    rows += [(2 * i + 1, t.strftime("%Y.%m.%d %H:%M"), "buy", i + 1, "0.10", "1.10000", "0", "0", "", ""), (2 * i + 2, (t + timedelta(hours=6)).strftime("%Y.%m.%d %H:%M"), "close", i + 1, "0.10", "1.10100", "0", "0", f"{p:.2f}", f"{balance:.2f}")]
case("mt4-period-1970.htm", "<html><head><title>Strategy Tester: X</title></head><body><table>" + row(("Period", "M15 1970.01.01 00:00 - 1970.01.01 00:00 (1970.01.01 - 1970.01.01)"))
    + "".join(row(each) for each in rows) + "</table></body></html>\n", "mt4-report", in_account(0), capital=1000, warns=["capital_inferred"])


def history(name, capital, deposits=(), more=0.0, fee=True):
    """Positions, orders, deals and the summary; the deposits come before the trade of their place."""
    deposits, number, balance, positions, orders, deals, events, flows = dict(deposits), 5000, capital if not deposits else 0.0, [], [], [], [], []
    two = lambda value: f"{value:,.2f}".replace(",", " ")
    def deal(moment, symbol, type_, direction, volume, price, order_, paid, swap, profit):
        nonlocal number, balance
        number, balance = number + 1, round(balance + paid + swap + profit, 2)
        deals.append([dots(moment), number, symbol, type_, direction, volume, price, order_, two(paid)] + (["0.00"] if fee else []) + [two(swap), two(profit), two(balance), ""])
    for i, (t, p) in enumerate(zip(days_, profits)):
        if i in deposits:
            deal(t - timedelta(hours=1), "", "balance", "", "", "", "", 0, 0, deposits[i])
            if i:
                flows.append((t, deposits[i]))
        swap = -0.1 if i % 3 == 0 else 0.0
        positions.append([dots(t), number + 1, "XAUUSD", "buy", "0.10", "2 050.10", "", "", dots(t + timedelta(hours=6)), "2 051.20", "-0.70", two(swap), two(p)])
        for moment, type_, direction, price, made, paid in ((t, "buy", "in", "2 050.10", 0.0, 0.0), (t + timedelta(hours=6), "sell", "out", "2 051.20", p, swap)):
            orders.append([dots(moment), number + 1, "XAUUSD", type_, "0.10 / 0.10", "market", "", "", dots(moment), "filled", "", "bot"])
            deal(moment, "XAUUSD", type_, direction, "0.10", price, number, -0.35, paid, made)
        events.append((t + timedelta(hours=6), p + swap - 0.7))
    events.append((events[-1][0], more))
    heads = [each.split(",") for each in ("Time,Position,Symbol,Type,Volume,Price,S / L,T / P,Time,Price,Commission,Swap,Profit", "Open Time,Order,Symbol,Type,Volume,Price,S / L,T / P,Time,State,,Comment",
             f"Time,Deal,Symbol,Type,Direction,Volume,Price,Order,Commission,{'Fee,' if fee else ''}Swap,Profit,Balance,Comment")]
    sheet = [["Trade History Report"], ["Name:", "", "", "Demo"], ["Date:", "", "", "2024.05.01 12:00"], ["Positions"], heads[0], *positions, ["Orders"], heads[1], *orders, ["Deals"], heads[2], *deals,
             ["Balance:", "", "", two(balance), "", "", "Free Margin:", "", "", "100.00"], ["Credit Facility:", "", "", "0.00", "", "", "Margin:", "", "", "1.00"],
             ["Floating P/L:", "", "", two(more), "", "", "Margin Level:", "", "", "123.13%"], ["Equity:", "", "", two(balance + more)], ["Results"], ["Total Net Profit:", "", "", "1.00", "Gross Profit:", "", "", "2.00"]]
    answer = dict(format="mt5-history", returns=realised(events, capital, days_[0], days_[-1], flows), capital=capital, judged="Profit", warns=["floating_counted"] if more else [])
    hidden = lambda each: '<td class="hidden" colspan="8">bot</td>' if len(each) == 13 and each[0] != "Time" else ""
    html = "".join("<tr>" + "".join((hidden(each) if place == 4 else "") + f"<td>{cell}</td>" for place, cell in enumerate(each)) + "</tr>\n" for each in sheet)
    case(name + ".html", "\ufeff<html><head><title>1: Demo - Trade History Report</title></head><body><table>" + html + "</table></body></html>\n", encoding="utf-16-le", **answer)
    workbook(name + ".xlsx", sheet)
    ANSWERS[name + ".xlsx"] = ANSWERS[name + ".html"]


def workbook(name, rows):
    """A sheet whose numbers are numbers."""
    def cell(value, place):
        plain = str(value).replace(" ", "")
        if plain.lstrip("-").replace(".", "", 1).isdigit():
            return f'<c r="{place}"><v>{plain}</v></c>'
        return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>' if value != "" else ""
    body = "".join(f'<row r="{at}">' + "".join(cell(value, f"{chr(65 + place)}{at}") for place, value in enumerate(row)) + "</row>" for at, row in enumerate(rows, 1))
    main, office = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {"[Content_Types].xml": "<Types/>",
             "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
             "xl/_rels/workbook.xml.rels": f'<Relationships><Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
             "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'}
    with zipfile.ZipFile(os.path.join(HERE, name), "w", zipfile.ZIP_DEFLATED) as file:
        for path, text in parts.items():
            file.writestr(zipfile.ZipInfo(path), text, zipfile.ZIP_DEFLATED)


history("mt5-history", 1000, {0: 1000.0}, floating)
history("mt5-history-deposit", 1000, {0: 1000.0, 20: 500.0}, fee=False)
history("mt5-history-part", 2000, more=-500.0)

kept = {}
path = os.path.join(HERE, "answers.json")
if os.path.exists(path):
    kept = {name: answer for name, answer in json.load(open(path)).items() if answer.get("by_hand")}
json.dump({**kept, **ANSWERS}, open(path, "w"), indent=1, ensure_ascii=False)
print(len(ANSWERS), "files")
