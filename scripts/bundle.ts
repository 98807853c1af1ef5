import { bundleSite } from './bundle-browser.js'
import { bundleCommand } from './bundle-command.js'
import { bundleUi } from './bundle-ui.js'

// Bundles what the command needs, or only what is named: `tsx scripts/bundle.ts [command] [ui] [browser]`.
// With names, the page is not compressed: that takes longer than all else, and a start needs it on one
// computer alone.

const names = process.argv.slice(2)

const BUNDLERS: Readonly<Record<string, () => Promise<unknown>>> = {
  command: bundleCommand,
  ui: () => bundleUi({ isCompressed: names.length === 0 }),
  browser: bundleSite,
}

await Promise.all(
  Object.entries(BUNDLERS)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([, bundle]) => bundle()),
)
