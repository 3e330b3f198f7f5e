// Starts aimock with the fixtures beside this file, prints its URL, and ends with
// its standard input.
import { readFileSync } from "node:fs";
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const file = new URL("fixtures.json", import.meta.url);
for (const fixture of JSON.parse(readFileSync(file, "utf8")).fixtures) {
  mock.addFixture(fixture);
}
await mock.start();
console.log(mock.url);
process.stdin.resume().on("end", () => process.exit(0));
