"""Does a record hold, and what happened in it? No network, no trust in whoever sent it.

python examples/audit_a_record.py match.trec
"""

import secrets
import sys

from p2ptruco.rules.writing import told, write
from p2ptruco.table.audit import audit

with open(sys.argv[1], "rb") as file:
    found = audit(file, secrets.token_bytes)
if found.breach is not None:
    sys.exit(f"It does not hold: {found.breach}")
for number, hand in enumerate(found.table.hands, 1):
    assert hand.result is not None
    print(f"hand {number}: {told(hand.result)}")
print(f"It holds ({found.status}): {found.counts}. The last hand, for `p2ptruco judge`:")
print(write(found.table.hands[-1]))
