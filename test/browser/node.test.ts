import assert from 'node:assert'
import type { AssertionError } from 'node:assert'
import * as buffer from 'node:buffer'
import * as crypto from 'node:crypto'
import * as http from 'node:http'
import * as path from 'node:path'
import * as util from 'node:util'

import fc from 'fast-check'
import t from 'tap'

// oxlint-disable-next-line import/default -- `export =` is the default
import assertStandIn from '../../packages/stand-ins/src/assert.cjs'
import * as bufferStandIn from '../../packages/stand-ins/src/buffer.js'
import * as cryptoStandIn from '../../packages/stand-ins/src/crypto.js'
import * as fsStandIn from '../../packages/stand-ins/src/fs.js'
import * as httpStandIn from '../../packages/stand-ins/src/http.js'
import * as otherStandIn from '../../packages/stand-ins/src/other.js'
import * as processStandIn from '../../packages/stand-ins/src/process.js'
import * as utilStandIn from '../../packages/stand-ins/src/util.js'
import * as engineStandIn from '../../packages/stand-ins/src/engine.js'
import { skipReason } from '../helpers/browser.js'
import { openTab } from './open-tab.js'

// Each stand-in does what the module of Node does, in what the server uses of it.

t.test('crypto', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, key) => {
      for (const algorithm of ['md5', 'sha256'] as const) {
        const [ours, node] = [cryptoStandIn, crypto].map(({ createHash }) =>
          createHash(algorithm).update(text).digest('hex'),
        )
        t.equal(ours, node)
      }
      const [ours, node] = [cryptoStandIn, crypto].map(({ createHmac }) =>
        createHmac('sha256', key).update(text).digest('base64url'),
      )
      t.equal(ours, node)
    }),
    { numRuns: 30 },
  )
  t.equal(cryptoStandIn.randomBytes(32).length, 32)
  const numbers = Array.from({ length: 200 }, () => cryptoStandIn.randomInt(3))
  t.same([...new Set(numbers)].toSorted(), [0, 1, 2])
  const id = cryptoStandIn.randomUUID()
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.not(cryptoStandIn.randomUUID(), id)
  const [one, other] = [Buffer.from('ab'), Buffer.from('ac')]
  t.ok(cryptoStandIn.timingSafeEqual(one, Buffer.from('ab')))
  t.notOk(cryptoStandIn.timingSafeEqual(one, other))
})

t.test('buffer', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      for (const encoding of ['base64url', 'base64', 'hex', 'utf8', 'latin1'] as const) {
        const text = Buffer.from(bytes).toString(encoding)
        t.equal(bufferStandIn.Buffer.from(bytes).toString(encoding), text)
        if (encoding === 'base64url')
          t.same([...bufferStandIn.Buffer.from(text, 'base64')], [...bytes])
      }
      t.equal(bufferStandIn.isUtf8(bytes), buffer.isUtf8(bytes))
    }),
  )
})

/** Returns the texts of final statuses in small letters. */
const lower = (texts: Readonly<Record<string, string | undefined>>): object =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([status]) => Number(status) >= 200)
      .map(([status, text]) => [status, text?.toLowerCase()]),
  )

t.test('http', async (t) => {
  t.same(lower(httpStandIn.STATUS_CODES), lower(http.STATUS_CODES))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3 }), (text) => {
      for (const validate of ['validateHeaderName', 'validateHeaderValue'] as const) {
        const [ours, node] = [httpStandIn, http].map((module) => {
          try {
            return module[validate](validate === 'validateHeaderName' ? text : 'x', text)
          } catch (error) {
            return error instanceof TypeError
          }
        })
        t.equal(ours, node, JSON.stringify(text))
      }
    }),
  )
})

t.test('util, assert and path', async (t) => {
  for (const [text, ...values] of [['a %s b %s', 1], ['%s%s', 'x', 'y'], ['none']] as const)
    t.equal(utilStandIn.format(text, ...values), util.format(text, ...values))
  const json = fc.jsonValue({ noUnicodeString: true } as object)
  fc.assert(
    fc.property(json, json, (one, other) => {
      const copy: unknown = structuredClone(one)
      t.equal(utilStandIn.isDeepStrictEqual(one, copy), util.isDeepStrictEqual(one, copy))
      t.equal(utilStandIn.isDeepStrictEqual(one, other), util.isDeepStrictEqual(one, other))
    }),
  )
  const thrown = [assertStandIn, assert].map((check) => {
    try {
      check(false, 'a message')
    } catch (error) {
      const { name, message, code } = error as AssertionError
      return { name, message, code }
    }
    return undefined
  })
  t.same(thrown[0], thrown[1])
  for (const file of ['/a/b.txt', 'b', '/a/.hidden', 'a.b.c']) {
    t.equal(otherStandIn.basename(file), path.basename(file))
    t.equal(otherStandIn.extname(file), path.extname(file))
  }
})

t.test('timers', { skip: skipReason() }, async (t) => {
  const { page, errors } = await openTab(t)
  const order = await page.evaluate(`new Promise((resolve) => {
    const { setImmediate, clearImmediate, setTimeout, clearTimeout, setInterval, clearInterval } = tab.timers
    const order = []
    clearTimeout(setTimeout(() => order.push('cleared'), 1))
    setImmediate((text) => {
      order.push(text)
      setImmediate(() => {
        order.push('next turn')
        const interval = setInterval((text) => {
          order.push(text)
          clearInterval(interval)
          setTimeout((text) => resolve([...order, text]), 30, 'timeout').unref()
        }, 1, 'interval')
      })
      queueMicrotask(() => order.push('microtask'))
    }, 'immediate')
    clearImmediate(setImmediate(() => order.push('cleared')))
    setImmediate(() => order.push('other'))
    order.push('now')
  })`)
  t.same(order, ['now', 'immediate', 'microtask', 'other', 'next turn', 'interval', 'timeout'])
  t.same(errors, [])
})

t.test('fs, process, v8 and vm', async (t) => {
  t.notOk(fsStandIn.existsSync('/dist/a.wasm'))
  t.throws(() => fsStandIn.readFileSync('/dist/a.wasm'), { message: 'a.wasm could not be fetched' })
  const bytes = new Uint8Array([1, 2])
  fsStandIn.files.set('a.wasm', bytes)
  t.ok(fsStandIn.existsSync('/dist/a.wasm'))
  t.equal(fsStandIn.readFileSync('/dist/a.wasm'), bytes)

  const order: string[] = []
  const { nextTick, cpuUsage } = processStandIn.process
  nextTick((text) => order.push(String(text)), 'next tick')
  order.push('now')
  await Promise.resolve()
  t.same(order, ['now', 'next tick'])
  const start = cpuUsage()
  t.ok(start.user > 0)
  t.ok(cpuUsage(start).user < start.user)

  const { used_heap_size: used, heap_size_limit: limit } = engineStandIn.default.getHeapStatistics()
  t.same([used, limit], [0, Infinity], 'what no browser tells has no limit')

  const sandbox = engineStandIn.createContext({ work: () => void order.push('work') })
  new engineStandIn.Script().runInContext(sandbox)
  t.equal(order.at(-1), 'work')
  t.equal(engineStandIn.runInThisContext(), globalThis)
})
