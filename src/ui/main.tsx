import { render } from 'preact'

import { App } from './frame/app.js'
import { keepFocus } from './frame/keep-focus.js'

const root = document.getElementById('page')
if (root !== null) {
  render(<App />, root)
  keepFocus(root)
}
