"""Two programs over the same records: `python -m tests.soak.second_reader [RECORDS] [SEED]`.

Each record is random (tests/kit/wild.py), and after it come as many damaged ones: cut, changed
byte by byte, or changed and signed anew. Ends with status 1 if the programs differ in anything
but words to people, and leaves what they differ on in the working folder.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tests.kit.mutate import attacks
from tests.kit.second_reader import Theirs, ours, theirs
from tests.kit.wild import Wild, signed_anew

DAMAGED = 7  # for each record


def main(records: int, seed: int) -> int:
    differ = 0
    words = Counter[str]()
    with tempfile.TemporaryDirectory() as folder, theirs(Path(folder)) as reader:
        for number in range(seed, seed + records):
            for name, blob in versions(number):
                word = compared(reader, blob)
                words[word] += 1
                if word.startswith("DIFFERENT"):
                    differ += 1
                    Path(f"different-{name}.trec").write_bytes(blob)
                    print(f"{name}: {word}", flush=True)
            print(f"seed {number}, {words.total()} records", file=sys.stderr, flush=True)
    print(f"{words.total()} records, seeds {seed} to {seed + records - 1}: {differ} differ")
    print(dict(words.most_common()) if not differ else "see above")
    return 1 if differ else 0


def versions(seed: int) -> Iterator[tuple[str, bytes]]:
    """A record, and records made of it."""
    match = Wild(seed)
    record = match.run()
    yield f"{seed}", record
    dice = random.Random(seed)
    for number, (_, blob) in enumerate(islice(attacks(record, DAMAGED, seed), 2)):
        yield f"{seed}-{number}", blob
    for number in range(2, DAMAGED):
        if (blob := signed_anew(dice, record, match.keys)) is not None:
            yield f"{seed}-{number}", blob


def compared(reader: Theirs, blob: bytes) -> str:
    """What both say, in a word."""
    one, other = ours(blob), reader(blob)
    if one != other:
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        return f"DIFFERENT {[(key, one.get(key), other.get(key)) for key in keys]}"
    if "error" in one:
        return str(one["error"])
    named = one["violation"]
    return f"{one['status']}" + (f" {named['kind']}" if named else "")


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    sys.exit(main(numbers[0] if numbers else 300, numbers[1] if len(numbers) > 1 else 1))
