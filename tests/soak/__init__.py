"""Long runs that are no part of the suite: `python -m tests.soak.NAME`, each with its figures.

| name | what it looks for | ends with 1 |
| --- | --- | --- |
| `attack_records` | a damaged record that verifies | at the first |
| `forger` | a forged proof that is accepted | if there is one |
| `fuzz_decoders` | bytes that raise what is no refusal | at the first |
| `fuzzing_peer` | a peer that says anything and gets an honest one blamed | if there is one |
| `honest_chaos` | an honest match that bad links spoil | if there is one |
| `knowledge` | a face that a seat could compute and may not see | if there is one |
| `remove_guards` | a guard whose removal no test notices | if one has no reason to live |
| `second_reader` | a record on which the auditor in JavaScript differs | if there is one |
"""
