/** Returns an element that lists the jobs with their status, and has a button that deletes the first. */
export function createJobList({ api, headers, limit }) {
  const root = document.createElement('section')
  root.innerHTML = '<ul></ul><p role="status">Loading</p><button>Delete the first</button>'
  const [list, message, button] = root.children

  const send = (path, method = 'GET') => fetch(api + path, { method, headers })
  async function show() {
    const projection = JSON.stringify({ sort: { name: 1 }, limit, fields: { name: 1, status: 1 } })
    const response = await send(`/jobs?projection=${encodeURIComponent(projection)}`)
    const body = await response.json()
    const rows = (response.ok ? body.data : []).map(({ _id, name, status }) =>
      Object.assign(document.createElement('li'), { id: _id, textContent: `${name}: ${status}` }),
    )
    list.replaceChildren(...rows)
    message.textContent = body.message ?? (rows.length === 0 ? 'No jobs' : `${rows.length} jobs`)
  }
  button.addEventListener('click', async () => {
    await send(`/jobs/${list.firstChild.id}`, 'DELETE')
    await show()
  })
  void show()
  return root
}
