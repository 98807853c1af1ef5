import { readFileSync, createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * Reads all items of a file: JSON Lines if its name ends in `.jsonl`, else a JSON array.
 * @param {string} file
 * @returns {Promise<import('../../packages/api/src/items/material.js').Material[]>}
 */
export async function readItems(file) {
  if (!file.endsWith('.jsonl')) return JSON.parse(readFileSync(file, 'utf8'))
  const items = []
  for await (const line of createInterface({ input: createReadStream(file) }))
    items.push(JSON.parse(line))
  return items
}
