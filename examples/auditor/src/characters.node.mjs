import { readFileSync } from "node:fs";

export default readFileSync(new URL("../../../protocol/characters.txt", import.meta.url), "utf8");
