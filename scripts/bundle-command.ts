import { bundleServer } from './bundle-server.js'

/**
 * Bundles the command. `dist/command.cjs` is one file with all modules of it, because most of the time of
 * a start went into finding and reading some 600 modules. `dist/cli.cjs`, the bin, runs it. It needs no
 * other build.
 */
export const bundleCommand = (): Promise<void> =>
  bundleServer(
    {
      command: 'cli/main.ts',
      cli: 'cli/bin.ts',
      'proxy-transport': '../packages/network/src/transport.ts',
      'symmetry-worker': 'server/symmetry-worker.ts',
    },
    { minifyWhitespace: true },
  )
