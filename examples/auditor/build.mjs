// Makes dist/auditor.html: the whole page in one file, to be opened from disk with no network.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = (name) => new URL(name, import.meta.url);
const options = {
  bundle: true, minify: true, write: false, format: "iife", target: "es2022", platform: "browser",
  conditions: ["browser"], loader: { ".txt": "text" }, charset: "ascii", legalComments: "none",
};

async function bundled(entry, plugins = []) {
  const { outputFiles } = await build({ ...options, entryPoints: [here(entry).pathname], plugins });
  return outputFiles[0].text.trim();
}

const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
const worker = await bundled("page/worker.mjs");
const inline = {
  name: "worker-source",
  setup(bundle) {
    bundle.onResolve({ filter: /^worker-source$/ }, () => ({ path: "worker", namespace: "inline" }));
    bundle.onLoad({ filter: /.*/, namespace: "inline" }, () => ({ contents: worker, loader: "text" }));
  },
};
const script = (await bundled("page/page.mjs", [inline])).replaceAll("</script", "<\\/script");
const css = readFileSync(here("page/page.css"), "utf8");
const page = readFileSync(here("page/index.html"), "utf8")
  .replace("'HASH'", () => `'${hash(script)}'`).replace("'STYLE'", () => `'${hash(css)}'`)
  .replace("CSS", () => css).replace("SCRIPT", () => script);
mkdirSync(here("dist"), { recursive: true });
writeFileSync(here("dist/auditor.html"), page);
console.log(`dist/auditor.html, ${Math.round(page.length / 1024)} KiB`);
