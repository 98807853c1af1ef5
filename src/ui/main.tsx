import { render } from 'preact'

import { App } from './frame/app.js'

const root = document.getElementById('page')
if (root !== null) render(<App />, root)
