"""`bench deal` says what an operation costs in multiplications; milliseconds are only shown."""

import pytest

from p2ptruco.bench import deal as bench

MULTS = {
    "keygen": 0,
    "shuffle_offline": 40,
    "prove_offline": 119,
    "shuffle_online": 0,
    "prove_online": 120,
    "verify_one": 208,
    "token": 6,
    "token_verify": 7,
}


@pytest.mark.parametrize(("seats", "chain"), [(2, 255), (4, 429)])
def test_bench_deal(seats: int, chain: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The object that `bench deal --json` prints, its counts, and floors that are made of them."""
    monkeypatch.setattr(bench, "LAPS", 1)
    told: list[str] = []
    measured = bench.run(seats, told.append)
    assert measured["seats"] == seats
    assert told
    assert set(measured["unit_us"]) == {"mult", "base", "add"}
    rows = measured["operations"]
    assert {name: row["mults"] for name, row in rows.items()} == {**MULTS, "verify_chain": chain}
    unit = measured["unit_us"]
    for row in rows.values():
        floor = sum(
            row[count] * unit[name]
            for count, name in (("mults", "mult"), ("bases", "base"), ("adds", "add"))
        )
        assert row["floor_ms"] == pytest.approx(floor / 1e3)
        assert row["ratio"] == pytest.approx(row["ms"] / row["floor_ms"])
    assert measured["cold_deal_floor_ms"] > rows["verify_chain"]["floor_ms"]
    assert measured["cold_deal_ms"] > seats * rows["prove_online"]["floor_ms"] / 2
