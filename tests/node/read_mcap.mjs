// Reads an MCAP file with other people's code and prints one JSON object: messages by topic, their types, whether times rise,
// and the last message of each topic. Every message is decoded by its own schema; the indexed and the plain reader must agree.
import { open, readFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress } from "fzstd";

const path = process.argv[2];
const file = await open(path, "r");
const readable = {
  size: async () => BigInt((await file.stat()).size),
  read: async (offset, length) => {
    const buffer = new Uint8Array(Number(length));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, Number(offset));
    if (bytesRead !== buffer.length) throw new Error("short read");
    return buffer;
  },
};

const result = { notes: {}, attachments: [], qos: {}, chunks: [], topics: {}, messages: 0, ordered: true, streamed: 0, statistics: 0 };
const plain = (key, value) =>
  typeof value === "bigint" ? Number(value) : ArrayBuffer.isView(value) ? { bytes: value.length, first: Array.from(value.slice(0, 4)) } : value;

const decompressHandlers = { zstd: (data, size) => decompress(data, new Uint8Array(Number(size))) };
const indexed = await McapIndexedReader.Initialize({ readable, decompressHandlers });
const readers = new Map();
let last = 0n;
for await (const message of indexed.readMessages()) {
  const channel = indexed.channelsById.get(message.channelId);
  const schema = indexed.schemasById.get(channel.schemaId);
  if (!readers.has(channel.id)) {
    readers.set(channel.id, new MessageReader(parse(new TextDecoder().decode(schema.data), { ros2: true })));
  }
  const body = readers.get(channel.id).readMessage(message.data);
  const topic = (result.topics[channel.topic] ??= { type: schema.name, count: 0 });
  topic.count++;
  topic.last = body;
  result.messages++;
  result.ordered &&= message.logTime >= last;
  last = message.logTime;
}
result.statistics = Number(indexed.statistics.messageCount);
for await (const note of indexed.readMetadata()) result.notes[note.name] = Object.fromEntries(note.metadata);
for await (const file of indexed.readAttachments()) result.attachments.push({ name: file.name, type: file.mediaType, bytes: file.data.length });
for (const channel of indexed.channelsById.values()) result.qos[channel.topic] = channel.metadata.get("offered_qos_profiles");
result.chunks = indexed.chunkIndexes.map((chunk) => [chunk.compression, Number(chunk.compressedSize), Number(chunk.uncompressedSize)]);
result.crc = indexed.footer.summaryCrc;

const stream = new McapStreamReader({ validateCrcs: true, decompressHandlers });
stream.append(await readFile(path));
for (let record; (record = stream.nextRecord()); ) {
  if (record.type === "Message") result.streamed++;
}
result.done = stream.done();
await file.close();
console.log(JSON.stringify(result, plain));
