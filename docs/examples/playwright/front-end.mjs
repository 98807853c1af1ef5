import { createServer } from 'node:http'

/** A front end with one page, which lists the materials with a formula, and runs a job. */
const PAGE = `<!doctype html>
<title>Materials</title>
<form><label>Formula <input name="formula"></label> <button>Find</button></form>
<ul></ul>
<p role="alert"></p>
<button id="run">Run</button> <p role="status"></p>
<script type="module">
  const base = 'http://127.0.0.1:4000/api/2018-10-01'
  const body = new URLSearchParams({ username: 'demo', password: 'demo' })
  const login = fetch(base + '/login', { method: 'POST', body }).then((response) => response.json())

  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault()
    const formula = new FormData(event.target).get('formula')
    const query = encodeURIComponent(JSON.stringify({ formula }))
    const { status, message, data } = await (
      await fetch(base + '/materials?query=' + query, { headers: await login })
    ).json()
    const names = status === 'success' ? data.map(({ name }) => name) : []
    document.querySelector('[role=alert]').textContent = message ?? ''
    document.querySelector('ul').replaceChildren(
      ...names.map((name) => Object.assign(document.createElement('li'), { textContent: name })),
    )
  })

  document.querySelector('#run').addEventListener('click', async () => {
    const headers = await login
    const query = encodeURIComponent('{"status":"pre-submission"}')
    const { data: [job] } = await (await fetch(base + '/jobs?query=' + query, { headers })).json()
    const start = Date.now()
    await fetch(base + '/jobs/' + job._id + '/submit', { method: 'POST', headers })
    const show = async () => {
      const { data } = await (await fetch(base + '/jobs/' + job._id, { headers })).json()
      const seconds = (Date.now() - start) / 1000
      document.querySelector('[role=status]').textContent = data.status + ' after ' + seconds + ' s'
      if (data.status !== 'finished') setTimeout(show, 10_000)
    }
    await show()
  })
</script>`

createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end(PAGE),
).listen(3000, '127.0.0.1')
