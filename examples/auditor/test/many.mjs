// Audits the files named on standard input, one a line, and says one JSON object a line of each:
// what `auditor.mjs --json` prints, or { "error": … }. For comparisons over many records.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { NoRecord, audit } from "../src/record.mjs";
import { report } from "../src/report.mjs";

function said(file) {
  try {
    const found = audit(readFileSync(file));
    return found.why ? { ...report(found), why: String(found.why.stack) } : report(found);
  } catch (fault) {
    if (fault instanceof NoRecord) return { error: { code: "no_record" } };
    return { error: { code: "failed", message: fault.stack } };
  }
}

for await (const file of createInterface({ input: process.stdin })) console.log(JSON.stringify(said(file)));
