#!/usr/bin/env node
// Audits a record of a match: node auditor.mjs [--json] FILE
//
// Exit: 0 the record holds, 1 it is broken, 2 wrong use or no record.

import { readFileSync } from "node:fs";
import { NoRecord, audit } from "./src/record.mjs";
import { report } from "./src/report.mjs";

function main(args) {
  const json = args.includes("--json");
  const files = args.filter((arg) => !arg.startsWith("--"));
  if (files.length !== 1 || args.some((arg) => arg.startsWith("--") && arg !== "--json")) {
    return refuse(json, "usage", "node auditor.mjs [--json] FILE");
  }
  let found;
  try {
    found = audit(readFileSync(files[0]));
  } catch (fault) {
    if (fault instanceof NoRecord) return refuse(json, "no_record", `${files[0]} is no record of a match.`);
    if (fault.code && fault.syscall) return refuse(json, "no_file", `${files[0]} cannot be read.`);
    throw fault;
  }
  const said = report(found);
  console.log(json ? JSON.stringify(said) : inWords(said));
  return said.ok ? 0 : 1;
}

function refuse(json, code, message) {
  if (json) console.log(JSON.stringify({ error: { code, message } }));
  else console.error(message);
  return 2;
}

function inWords({ ok, status, unsealed_by: unsealed, variant, seats, peers, winner, score, violation, ...counts }) {
  const place = (at) => ["hand", "step", "seat"].filter((key) => at[key] !== null).map((key) => `${key} ${at[key]}`).join(", ");
  return [
    `${variant}, ${seats} seats`,
    ...peers.map(({ seat, name, fingerprint }) => `  ${seat} ${fingerprint} ${name}`),
    `${counts.hands} hands, ${counts.entries} entries, ${counts.shuffles} shuffles, ${counts.tokens} tokens`,
    `A ${score.A}  B ${score.B}${winner ? `, ${winner} won` : ""}`,
    ...(violation ? [`${violation.kind}: ${violation.message} (${place(violation)})`] : []),
    ok ? `holds: ${status}${unsealed.length ? `, not sealed by ${unsealed.join(", ")}` : ""}` : "BROKEN",
  ].join("\n");
}

process.exitCode = main(process.argv.slice(2));
