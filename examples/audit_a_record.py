"""Does a record hold, and what happened in it? No network, no trust in whoever sent it.

python examples/audit_a_record.py match.trec
"""

import argparse
import secrets
import sys

from p2ptruco.rules.notation.writing import told, write
from p2ptruco.table.record.audit import audit
from p2ptruco.table.record.file import NoRecord

wanted = argparse.ArgumentParser(description=__doc__.splitlines()[0])
wanted.add_argument("record", help="its file")
path = wanted.parse_args().record

try:
    with open(path, "rb") as file:
        found = audit(file, secrets.token_bytes)
except OSError as error:
    wanted.error(str(error))
except NoRecord:
    wanted.error(f"{path} is no record")
if found.breach is not None:
    sys.exit(f"It does not hold: {found.breach}")
for number, hand in enumerate(found.table.hands, 1):
    assert hand.result is not None
    print(f"hand {number}: {told(hand.result)}")
print(f"It holds ({found.status}): {found.counts}.")
if found.table.hands:
    print(f"The last hand, for `p2ptruco judge`:\n{write(found.table.hands[-1])}")
