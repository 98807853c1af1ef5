/** Shows all stories of the file at once, as Storybook's page of a component does. */
export const STORIES_PAGE = `<!doctype html>
<link rel="icon" href="data:,">
<script type="module">
  import * as stories from './job-list.stories.js'
  const { default: meta, ...exports } = stories
  for (const [name, story] of Object.entries(exports)) {
    const context = { id: 'job-list--' + name.toLowerCase(), parameters: { ...story.parameters } }
    const results = await Promise.all(meta.loaders.map((load) => load(context)))
    const element = meta.render(meta.args, { ...context, loaded: Object.assign({}, ...results) })
    element.id = name
    document.body.append(element)
  }
</script>`
