// Audits one file away from the page, and says how far it is.

import { hex } from "../src/bytes.mjs";
import { NoRecord, before, begin } from "../src/record.mjs";
import { report } from "../src/report.mjs";

const PAUSE = 60; // ms between two words about progress

function audit(bytes) {
  const run = begin(bytes);
  let told = 0;
  for (;;) {
    const { value, done } = run.next();
    if (done) return value;
    if (performance.now() - told > PAUSE) {
      told = performance.now();
      postMessage({ share: value });
    }
  }
}

onmessage = ({ data }) => {
  try {
    const found = audit(new Uint8Array(data));
    const { variant } = found.agreement;
    postMessage({
      report: report(found),
      table: hex(found.agreement.table),
      ranks: variant.ranks.length,
      target: variant.target,
      written: found.writtenBy,
      stories: before(found).stories,
    });
  } catch (fault) {
    postMessage({ failed: fault instanceof NoRecord ? "no_record" : "program", why: String(fault) });
  }
};
