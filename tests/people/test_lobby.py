"""The lobby at a pseudo-terminal, and everything that can go wrong on the way to a table: one
sentence each, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from .script import answer
from .terminal import play, terminals


def test_a_host_arranges_the_table(tmp_path: Path) -> None:
    """Swap, seat, lock, kick; only what changes is said again; everybody sees it."""
    with terminals() as opened:
        ana = opened(tmp_path / "ana", "host", "--name", "Ana", "--variant", "mineiro fold=no")
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        ana.expect("unlike mineiro: fold=no")
        bia = opened(tmp_path / "bia", "join", ticket, "--name", "Bia", "--lang", "pt-BR")
        bia.expect("diferente de mineiro: fold=no")
        bia.shows("2 B  Bia .* você · não está pronto")
        bia.type("lugar 8")
        bia.expect("Esse lugar não existe.")
        bia.type("lugar 1")
        bia.expect("Já tem alguém sentado ali.")
        bia.type("lugar 4")
        bia.expect("4 B  Bia")
        ana.expect("4 B  Bia")
        ana.type("swap 4 3")
        bia.expect("3 A  Bia")
        bia.type("pronta")
        bia.expect("3 A  Bia .* pronto")
        ana.type("lock")
        bia.expect("Trancada: ninguém mais pode sentar.")
        late = opened(tmp_path / "caio", "join", ticket, "--name", "Caio")
        assert late.ended() == 1
        late.expect("The table is full, or locked by its host.")
        ana.type("lock")
        ana.expect("Open again.")
        same = opened(tmp_path / "davi", "join", ticket, "--name", "BIA")
        same.expect("Somebody at the table has your name already. Another name:")
        same.type("Davi")
        ana.expect("Davi")
        same.type("leave")
        assert same.ended() == 0
        ana.type("kick 3")
        assert bia.ended() == 1
        bia.expect("O anfitrião não deixou você entrar.")
        ana.expect("Bia is turned away, and cannot come back to this table.")
        assert ana.screen.count("1 A  Ana") == 1
        ana.type("l")
        ana.expect("1 A  Ana")


def test_a_name_that_comes_back_with_another_key_is_pointed_out(tmp_path: Path) -> None:
    """Somebody who plays under a friend's name would get a friend's trust."""
    with terminals() as opened:
        words = ("host", "--seats", "2", "--name", "Ana", "--private")
        ana = opened(tmp_path / "ana", *words)
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        bia = opened(tmp_path / "bia", "join", ticket, "--name", "Bia")
        bia.shows("2 B  Bia")
        bia.type("ready")
        ana.expect("type start")
        ana.type("start")
        ana.expect("Signed by all")
        bia.expect("Signed by all")
        ana.interrupt()
        bia.interrupt()
        assert (ana.ended(), bia.ended()) == (130, 130)
        again = opened(tmp_path / "ana", *words)
        renewed = again.expect(r"Ticket: (\S+)")[1]
        false = opened(tmp_path / "mallory", "join", renewed, "--name", "Bia")
        again.expect(r"2 B  Bia .* CAREFUL: you met this name with\s+another key")
        false.type("leave")
        assert false.ended() == 0
        stale = opened(tmp_path / "bia", "join", ticket)
        assert stale.ended() == 1
        stale.expect("This ticket is wrong, or its table is closed or playing")


def test_one_identity_sits_at_one_table(tmp_path: Path) -> None:
    """A second process of the same folder could sign two things in one place; a port in use, a
    table that nobody answers for."""
    with terminals() as opened:
        ana = opened(tmp_path / "ana", "host", "--seats", "2")
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        second = opened(tmp_path / "ana", "join", ticket)
        assert second.ended() == 1
        second.expect("Another p2ptruco plays with this identity")
        port = (tmp_path / "ana" / "port").read_text().strip()
        other = opened(tmp_path / "bia", "host", "--port", port)
        assert other.ended() == 1
        other.expect(f"Port {port} cannot be used")
        ana.type("leave")
        assert ana.ended() == 0
        third = opened(tmp_path / "bia", "join", "-")
        third.type(ticket)
        assert third.ended() == 1
        third.expect("Nobody answers at .*: is the host there, on the same network?")


def test_a_seat_held_for_who_has_not_answered_is_seen_and_freed(tmp_path: Path) -> None:
    """It looked free to all: newcomers read that the table is full, and kick did nothing."""
    with terminals() as opened:
        ana = opened(tmp_path / "ana", "host", "--seats", "2", "--name", "Ana", "--private")
        first = ana.expect(r"Ticket: (\S+)")[1]
        bia = opened(tmp_path / "bia", "join", first, "--name", "Bia")
        bia.shows("2 B  Bia")
        bia.type("ready")
        ana.expect("type start")
        ana.type("start")
        bia.expect("Hand 1")
        bia.type("leave")
        bia.type("leave")
        play({ana: answer, bia: answer}, "Another match?")
        ana.type("y")
        ticket = ana.expect(r"Ticket: (\S+)")[1]
        ana.expect("2 B  held for Bia, who has not answered yet")
        ana.type("start")
        ana.expect(r"Not everybody is here and ready: Bia has not answered\.")
        early = opened(tmp_path / "caio", "join", ticket, "--name", "Caio")
        assert early.ended() == 1
        early.expect("The free seats are held for players of the last match")
        ana.type("kick Caio")
        ana.expect("There is nobody to turn away by that name or seat")
        ana.type("kick bia")
        ana.expect(r"2 B  \(free\)")
        caio = opened(tmp_path / "caio", "join", ticket, "--name", "Caio")
        ana.expect("2 B  Caio")
        bia.type("y")
        assert bia.ended() == 1
        bia.expect("You did not answer in time, and the host went on without you")
        caio.type("leave")
        assert caio.ended() == 0


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_what_is_no_ticket_is_refused_at_once(language: str, tmp_path: Path) -> None:
    with terminals() as opened:
        guest = opened(tmp_path / "bia", "join", "TRUCO:AAAA", "--lang", language)
        assert guest.ended() == 2
        guest.shows("This is no ticket" if language == "en" else "Isto não é um convite")


def test_a_bot_that_breaks_ends_a_table_of_bots(tmp_path: Path) -> None:
    """A file that loads once and not again: a sentence, not a lobby that waits for ever."""
    bot = tmp_path / "broken.py"
    bot.write_text(
        "import pathlib\n\nseen = pathlib.Path(__file__ + '.seen')\nif seen.exists():\n    1 / 0\n"
        "seen.touch()\n\ndef choose(view):\n    return view.legal[0]\n"
    )
    with terminals() as opened:
        alone = opened(tmp_path / "ana", "play", "--bots", str(bot))
        assert alone.ended() == 1
        alone.expect("The bot at seat 2 has failed")
        assert "Traceback" not in alone.screen


def test_a_host_seats_a_bot_and_takes_it_away(tmp_path: Path) -> None:
    """In a seat of its choice or the next one; a name that no bot has is told; and the host goes on
    in another language."""
    with terminals() as opened:
        ana = opened(tmp_path / "ana", "host", "--name", "Ana", "--private")
        ana.expect("1 A  Ana")
        ana.type("bot random 3")
        ana.expect("3 A  random-3 .* ready")
        ana.type("bot nobody")
        ana.expect("There is no bot of that name.")
        ana.type("kick random-3")
        ana.expect(r"3 A  \(free\)")
        ana.type("bot random")
        ana.expect("2 B  random-2 .* ready")
        ana.type("bot random 2")
        ana.expect("There is no free seat for it.")
        ana.type("lang pt")
        ana.expect("Em português daqui em diante")
        ana.type("l")
        ana.expect(r"3 A  \(livre\)")
        ana.type("sair")
        assert ana.ended() == 0
