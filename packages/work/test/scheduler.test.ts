import t from 'tap'
import type { Test } from 'tap'

import { Budget } from '../src/budget.js'
import { Scheduler } from '../src/scheduler.js'
import { LARGE_TURN } from '../src/work.js'
import type { Work } from '../src/work.js'
import { replace } from '../../../test/helpers/replace.js'

/** Replaces the clock by one that stands still between two calls of `advance`. */
function useFakeClock(t: Test): (ms: number) => void {
  let now = 0
  replace(t, performance, 'now', () => now)
  return (ms) => void (now += ms)
}

/** Returns work of one step. */
function* toWork<Result>(result: Result): Work<Result> {
  yield* []
  return result
}

/** Waits for the next turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns after how many turns of the event loop, at most 100, the result is there. */
async function countTurns(result: unknown): Promise<number> {
  const state = { isDone: false }
  void Promise.resolve(result).then(() => (state.isDone = true))
  await Promise.resolve()
  let turns = 0
  for (; turns < 100 && !state.isDone; turns += 1) await nextTurn()
  return turns
}

t.test('work that completes within a slice returns its result at once', async (t) => {
  const scheduler = new Scheduler()
  t.equal(scheduler.run(toWork('result'), new Budget(1000)), 'result')
})

t.test('work continues where a test has faked the timers', async (t) => {
  const advance = useFakeClock(t)
  // A fake timer stands still. What another test has left to do goes on afterwards.
  const held: (() => void)[] = []
  const restore = replace(t, globalThis, 'setImmediate', (callback: () => void) =>
    held.push(callback),
  )
  function* work(): Work<string> {
    for (let step = 0; step < 3; step += 1) {
      advance(20)
      yield 'scanning items'
    }
    return 'result'
  }
  t.equal(await new Scheduler().run(work(), new Budget(1000)), 'result')
  restore()
  for (const callback of held) callback()
})

t.test('a turn runs 10 ms of work, new work and waiting tasks in turn', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  const steps: string[] = []
  function* work(name: string): Work<string> {
    for (let step = 0; step < 30; step += 1) {
      advance(1)
      steps.push(name)
      yield 'scanning items'
    }
    return name
  }
  const takeSteps = (): string => steps.splice(0).join('')
  const results = ['a', 'b', 'c'].map((name) => scheduler.run(work(name), new Budget(1000)))
  t.equal(takeSteps(), 'abc', 'a first slice of 1 ms each')
  const turns: string[] = []
  for (let turn = 0; turn < 12; turn += 1) {
    await nextTurn()
    const taken = takeSteps()
    if (taken !== '') turns.push(taken)
  }
  t.same(
    turns,
    [7, 10, 10, 10, 10, 10, 10, 9, 9, 2].map((ms, turn) => 'abc'.charAt(turn % 3).repeat(ms)),
  )
  t.same(await Promise.all(results), ['a', 'b', 'c'])
})

t.test('short work is held up neither by waiting tasks nor by what arrives with it', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  function* endless(): Work<void> {
    for (;;) {
      advance(1)
      yield 'scanning items'
    }
  }
  const start = () => Array.from({ length: 20 }, () => scheduler.run(endless(), new Budget(100)))
  const tasks = start()
  t.equal(await countTurns(scheduler.run(toWork(1), new Budget(100))), 5, 'behind 20 first slices')
  t.equal(scheduler.run(toWork(2), new Budget(100)), 2, 'beside 20 that wait')
  tasks.push(...start())
  t.equal(await countTurns(scheduler.run(toWork(3), new Budget(100))), 5, 'beside both')
  t.same(
    (await Promise.allSettled(tasks)).map(({ status }) => status),
    tasks.map(() => 'rejected'),
  )
})

t.test('a waiting task goes on beside new work that uses up every turn', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  function* work(steps: number): Work<boolean> {
    for (let step = 1; step < steps; step += 1) {
      advance(10)
      yield 'scanning items'
    }
    advance(10)
    return true
  }
  let turns = 0
  let turnsTaken = 0
  const waiting = scheduler.run(work(5), new Budget(100)) as Promise<boolean>
  void waiting.then(() => (turnsTaken = turns))
  for (; turns < 30; turns += 1) {
    await nextTurn()
    t.equal(scheduler.run(work(1), new Budget(100)), true)
  }
  t.equal(turnsTaken, 7, 'each second turn has a slice of it, after the first one')
})

t.test('work beyond its budget is refused with what the time was spent on', async (t) => {
  const advance = useFakeClock(t)
  function* work(): Work<void> {
    for (;;) {
      advance(2)
      yield 'scanning items'
      advance(1)
      yield 'writing the response'
    }
  }
  await t.rejects(async () => new Scheduler().run(work(), new Budget(30)), {
    code: 'BUDGET_EXCEEDED',
    message:
      'the request took longer than its budget of 30 ms (--query-budget): ' +
      '20 ms scanning items, 10 ms writing the response',
  })
})

t.test('cancelled work runs no further slice', async (t) => {
  const advance = useFakeClock(t)
  const budget = new Budget(1e6)
  let steps = 0
  function* work(): Work<void> {
    for (;;) {
      advance(10)
      steps += 1
      yield 'scanning items'
    }
  }
  const scheduler = new Scheduler()
  void scheduler.run(work(), budget)
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  t.equal(steps, 3)
  budget.cancel()
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  t.equal(steps, 3)
})

t.test('a step that takes long is the only one in its turn', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  const turns: number[] = [0]
  function* work(): Work<void> {
    for (let step = 0; step < 3; step += 1) {
      advance(40)
      turns.push((turns.pop() as number) + 1)
      yield 'parsing the body'
    }
  }
  const results = Array.from({ length: 5 }, () => scheduler.run(work(), new Budget(1000)))
  const all = Promise.all(results).then(() => 'done')
  while ((await Promise.race([all, nextTurn()])) !== 'done') turns.push(0)
  t.equal(Math.max(...turns), 1)
  t.equal(
    turns.reduce((sum, steps) => sum + steps),
    15,
  )
})

t.test('a request that has had a slice waits with its next work', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  const budget = new Budget(1000)
  function* work(): Work<string> {
    advance(40)
    yield 'parsing the body'
    return 'parsed'
  }
  t.equal(await scheduler.run(work(), budget), 'parsed')
  t.ok(scheduler.run(toWork(1), budget) instanceof Promise)
  await nextTurn()
  t.equal(scheduler.run(toWork(1), new Budget(1000)), 1, 'another one does not')
})

t.test('new requests do not wait for the next work of others', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  function* work(ms: number): Work<void> {
    yield* []
    advance(ms)
  }
  const budgets = Array.from({ length: 20 }, () => new Budget(1000))
  const parses = budgets.map(async (budget) => scheduler.run(work(12), budget))
  const imports = parses.map(async (parsing, index) => {
    await parsing
    await scheduler.run(work(40), budgets[index] as Budget)
  })
  await Promise.all(parses)
  const turns = await countTurns(scheduler.run(toWork(1), new Budget(1000)))
  t.ok(turns <= 2, `${turns} turns beside the writes`)
  await Promise.all(imports)
})

t.test('an error in a slice rejects its promise alone', async (t) => {
  const advance = useFakeClock(t)
  const scheduler = new Scheduler()
  function* fail(): Work<void> {
    advance(10)
    yield 'scanning items'
    throw new Error('failed')
  }
  function* succeed(): Work<string> {
    advance(10)
    yield 'scanning items'
    return 'done'
  }
  const failed = scheduler.run(fail(), new Budget(1000))
  const done = scheduler.run(succeed(), new Budget(1000))
  await t.rejects(Promise.resolve(failed), { message: 'failed' })
  t.equal(await done, 'done')
})

t.test(
  'four tasks do large work at a time; the others wait in line, and take no budget',
  async (t) => {
    const advance = useFakeClock(t)
    const scheduler = new Scheduler()
    const started: string[] = []
    let active = 0
    let most = 0
    function* work(name: string): Work<string> {
      yield LARGE_TURN
      started.push(name)
      active += 1
      most = Math.max(most, active)
      try {
        for (let step = 0; step < 3; step += 1) {
          advance(10)
          yield 'sorting items'
        }
        if (name === 'b') throw new Error('failed')
        return name
      } finally {
        active -= 1
      }
    }
    const cancelled = new Budget(31)
    const names = [...'abcdefgh']
    const results = names.map((name) =>
      Promise.resolve(scheduler.run(work(name), name === 'e' ? cancelled : new Budget(31))),
    )
    cancelled.cancel()
    const others = results.filter((_, index) => names[index] !== 'e')
    const settled = await Promise.allSettled(others)
    t.same(
      settled.map(({ status }) => status),
      names.filter((name) => name !== 'e').map((name) => (name === 'b' ? 'rejected' : 'fulfilled')),
    )
    t.same(started, [...'abcdfgh'])
    t.equal(most, 4)
  },
)
