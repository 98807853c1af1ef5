import type { TSchema } from '@sinclair/typebox'
import t from 'tap'

import { helpText, parseCommand } from '../../src/cli/commands.js'
import { GenerateOptions } from '../../src/cli/generate.js'
import { OptionsInvalid } from '../../src/errors.js'
import { Options, checkOption, completeOptions } from '../../src/options.js'
import { build, listUrl, logIn, send } from '../helpers/build.js'

t.test('flags and environment variables set options', async (t) => {
  const cases: [argv: string[], environment: Record<string, string>, options: object][] = [
    [[], {}, {}],
    [['--port', '0'], {}, { port: 0 }],
    [['--port=8080', '--read-only'], {}, { port: 8080, readOnly: true }],
    [['--login-envelope', 'jsend'], {}, { loginEnvelope: 'jsend' }],
    [['--session-ttl', '0.5'], {}, { sessionTtl: 0.5 }],
    [['--admin'], {}, { admin: true }],
    [['--oidc', '--oidc-account', 'lab'], {}, { oidc: true, oidcAccount: 'lab' }],
    [['--no-oidc'], {}, { oidc: false }],
    [['--no-admin', '--latency', '100-500'], {}, { admin: false, latency: '100-500' }],
    [
      [],
      { MATERIALS_MOCK_ADMIN: 'false', MATERIALS_MOCK_LATENCY: '200' },
      { admin: false, latency: '200' },
    ],
    [['--no-cors'], {}, { cors: false }],
    [['--cors'], { MATERIALS_MOCK_CORS: 'false' }, { cors: true }],
    [[], { MATERIALS_MOCK_CORS: 'false' }, { cors: false }],
    [['--no-cors'], { MATERIALS_MOCK_CORS: 'true' }, { cors: false }],
    [
      ['--cors-origin', 'http://localhost:3000,https://a.b'],
      {},
      { corsOrigin: 'http://localhost:3000,https://a.b' },
    ],
    [
      ['--allowed-hosts', 'a_b,.c.d', '--allowed-hosts', '[::2]'],
      {},
      { allowedHosts: 'a_b,.c.d,[::2]' },
    ],
    [[], { MATERIALS_MOCK_PORT: '5000' }, { port: 5000 }],
    [['--port', '6000'], { MATERIALS_MOCK_PORT: '5000' }, { port: 6000 }],
    [[], { MATERIALS_MOCK_READ_ONLY: 'true' }, { readOnly: true }],
    [[], { MATERIALS_MOCK_READ_ONLY: 'false', PATH: '/bin' }, { readOnly: false }],
  ]
  for (const [argv, environment, options] of cases)
    t.same(parseCommand(argv, environment), { kind: 'serve', options }, argv.join(' '))
})

t.test('generate has its own flags', async (t) => {
  const cases: [argv: string[], options: object][] = [
    [['--count', '5'], { count: 5, seed: 1, format: 'json' }],
    [['--count=5', '--seed', '0', '--format', 'jsonl'], { count: 5, seed: 0, format: 'jsonl' }],
    [['--out', 'a.json', '--count', '5'], { count: 5, seed: 1, format: 'json', out: 'a.json' }],
  ]
  for (const [argv, options] of cases)
    t.strictSame(parseCommand(['generate', ...argv], {}), { kind: 'generate', options })
  t.same(parseCommand(['generate', '--help'], {}), { kind: 'help', options: 'generate' })
  t.same(parseCommand(['generate', '--version'], {}), { kind: 'version' })
})

t.test('--help and --version win over errors', async (t) => {
  t.same(parseCommand(['--help'], { MATERIALS_MOCK_PROT: '1' }), { kind: 'help', options: 'serve' })
  t.same(parseCommand(['--version'], {}), { kind: 'version' })
})

t.test(
  'the message for a wrong flag or variable has its name, its value and the allowed ones',
  async (t) => {
    const cases: [argv: string[], environment: Record<string, string>, message: string | RegExp][] =
      [
        [['--port', '70000'], {}, '--port must be an integer from 0 to 65535, not 70000'],
        [['--port', '80a'], {}, '--port must be an integer from 0 to 65535, not "80a"'],
        [['--port', '1.5'], {}, '--port must be an integer from 0 to 65535, not 1.5'],
        [['--port', ''], {}, '--port must be an integer from 0 to 65535, not ""'],
        [
          ['--session-ttl', '0'],
          {},
          '--session-ttl must be a number from 0.001 to 31536000, not 0',
        ],
        [['--session-ttl=-3'], {}, /^--session-ttl must be a number from 0.001 .*, not -3$/],
        [
          ['--port', '-1'],
          {},
          /'--port' argument is missing: .* is given as --option=-value; --help lists the options$/,
        ],
        [['--host', '--port'], {}, /^Option '--host' argument is missing: another option follows/],
        [['--read-only', '-3'], {}, /^Unknown option '-3'; --help lists the options$/],
        [
          ['--latency', '5-1'],
          {},
          /^--latency must be milliseconds from 0 to 60000 .*, not "5-1"$/,
        ],
        [['--latency=-5'], {}, /^--latency must be milliseconds from 0 to 60000 .*, not "-5"$/],
        [
          [],
          { MATERIALS_MOCK_LATENCY: '60001' },
          /^MATERIALS_MOCK_LATENCY must be .*, not "60001"$/,
        ],
        [['--login-envelope', 'flt'], {}, '--login-envelope must be "flat" or "jsend", not "flt"'],
        ...['', '*', 'a:80', 'http://a', 'a b', 'a,', 'a..b', '[a]x', '::1'].map(
          (names): [string[], Record<string, string>, string] => [
            ['--allowed-hosts', names],
            {},
            `--allowed-hosts must be names such as materials-mock or .dev.example, without ports, separated by commas, not "${names}"`,
          ],
        ),
        ...[
          '*,http://a',
          'localhost:3000',
          'http://localhost:3000/',
          'http://A.b',
          'http://a, http://b',
        ].map((origin): [string[], Record<string, string>, string] => [
          ['--cors-origin', origin],
          {},
          `--cors-origin must be origins such as http://localhost:3000, separated by commas, or * for all, not "${origin}"`,
        ]),
        [
          ['--prot', '1'],
          {},
          "Unknown option '--prot'; the closest one is --port; --help lists the options",
        ],
        [['--port', '1', '--port', '2'], {}, '--port is given twice; --help lists the options'],
        [['--admin', '--no-admin'], {}, '--admin is given twice; --help lists the options'],
        [['--no-read-only'], {}, "Unknown option '--no-read-only'; --help lists the options"],
        [
          ['--latency', 'x'],
          {},
          '--latency must be milliseconds from 0 to 60000 such as 200, or 100-500, the smaller number first, not "x"',
        ],
        [['--port'], {}, "Option '-p, --port <value>' argument missing; --help lists the options"],
        [['materials'], {}, 'use --fixtures materials to serve a folder or a file of fixtures'],
        [['generate'], {}, 'give a number of materials; --count is missing: generate --count 1000'],
        [['generate', '--count', '0'], {}, '--count must be an integer from 1 to 100000000, not 0'],
        [
          ['generate', '--count', '1', '--format', 'xml'],
          {},
          '--format must be "json" or "jsonl", not "xml"',
        ],
        [['generate', '--count', '1', '--port', '1'], {}, "Unknown option '--port'"],
        [['--count', '1'], {}, "Unknown option '--count'; --help lists the options"],
        [
          [],
          { MATERIALS_MOCK_PROT: '1' },
          'the variable MATERIALS_MOCK_PROT is not an option; the closest one is MATERIALS_MOCK_PORT; --help lists the options',
        ],
        [
          [],
          { MATERIALS_MOCK_COUNT: '1' },
          'the variable MATERIALS_MOCK_COUNT is not an option; --help lists the options',
        ],
        [
          [],
          { MATERIALS_MOCK_READ_ONLY: 'yes' },
          'MATERIALS_MOCK_READ_ONLY must be true or false, not "yes"',
        ],
      ]
    for (const [argv, environment, message] of cases) {
      t.match(
        catchMessage(() => parseCommand(argv, environment)),
        message,
      )
    }
  },
)

t.test('every number has a range, whose ends are accepted and no more', async (t) => {
  const numbers = [Options, GenerateOptions].flatMap(({ properties }) =>
    Object.entries<TSchema>(properties).filter(([, { type }]) => /integer|number/.test(type)),
  )
  t.same(
    numbers.map(([name]) => name),
    ['port', 'sessionTtl', 'queryBudget', 'journal', 'journalBody', 'jobDuration', 'count', 'seed'],
  )
  for (const [name, schema] of numbers) {
    const { minimum, maximum } = schema
    for (const value of [minimum, maximum]) t.equal(checkOption(name, value, schema), value)
    for (const value of [minimum - 0.001, maximum + 1, 5_000_000_000_000, NaN, Infinity, -1, 5n]) {
      t.throws(() => checkOption(name, value, schema), {
        code: 'OPTIONS_INVALID',
        message: new RegExp(`^${name} must be an? \\w+ from ${minimum} to ${maximum}, not \\S+$`),
      })
    }
  }
})

t.test('the longest query budget and job duration work', async (t) => {
  const { queryBudget, jobDuration, sessionTtl } = Options.properties
  const longest = {
    queryBudget: queryBudget.maximum as number,
    jobDuration: jobDuration.maximum as number,
    sessionTtl: sessionTtl.maximum as number,
  }
  const jobs = [{ _id: 'j', name: 'aab', status: 'pre-submission' }]
  const app = await build(t, { fixtures: { jobs }, ...longest })
  const headers = await logIn(app, 'demo', 'demo')
  const list = await send(app, listUrl('jobs', { name: { $regex: '(a+)+b' } }), { headers })
  t.match(list.json(), { data: [{ _id: 'j' }] })
  const submitted = await send(app, '/jobs/j/submit', { method: 'POST', headers })
  t.match(submitted.json(), { data: { status: 'submitted' } })
  t.match((await send(app, '/jobs/j', { headers })).json(), { data: { status: 'submitted' } })
})

t.test('options in process are checked, and get defaults', async (t) => {
  t.match(completeOptions({}), {
    port: 4000,
    host: '127.0.0.1',
    loginEnvelope: 'flat',
    readOnly: false,
    queryBudget: 1000,
  })
  t.equal(completeOptions({ port: 1 }).port, 1)
  t.equal(completeOptions({ port: undefined }).port, 4000)
  t.throws(() => completeOptions({ prot: 1 }), OptionsInvalid)
  t.match(
    catchMessage(() => completeOptions({ prot: 1 })),
    /^"prot" is not an option; there are port, /,
  )
  t.match(
    catchMessage(() => completeOptions({ constructor: 1 })),
    /^"constructor" is not an option; /,
  )
  t.equal(
    catchMessage(() => completeOptions({ cors: false, corsOrigin: 'http://a' })),
    'give one of --cors-origin and --no-cors; they exclude each other',
  )
  t.equal(
    catchMessage(() => completeOptions({ port: '1' })),
    'port must be an integer from 0 to 65535, not "1"',
  )
})

t.test('--help lists the options', async (t) => {
  for (const flag of [
    '--port PORT',
    '--query-budget MS',
    '--read-only',
    '--cors ',
    '--cors-origin ORIGIN,…',
    '--log-level LEVEL',
    '--count N',
    '--help',
    '--version',
  ])
    t.match(helpText(), flag)
  for (const line of helpText()
    .split('\n')
    .filter((each) => /^ +-/.test(each)))
    t.match(line, /^ .{37}  \w/, 'the descriptions are in one column')
})

t.test('the --help of a command is its own', async (t) => {
  t.equal(
    helpText('site'),
    `Usage: materials-mock site OUT [options]

site writes a static site with the page, the explorer and the API to a folder:

  --fixtures PATH                       folder of fixtures, or one fixture file (default: the shipped fixtures)
  --scenario NAME                       scenario of the fixtures that a first visit shows
  --job-duration MS                     time until a submitted job is active, and then until it is finished (default: 2000)
  -h, --help                            print this
  -v, --version                         print the version`,
  )
  t.match(
    helpText('check'),
    /^Usage: materials-mock check URL.*--strict.*NODE_EXTRA_CA_CERTS[^\n]*$/s,
  )
  t.notMatch(helpText('check'), /--port/)
})

function catchMessage(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
