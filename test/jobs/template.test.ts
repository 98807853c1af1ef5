import t from 'tap'

import { renderTemplate } from '../../src/jobs/template.js'

const CONTEXT = {
  name: 'Si',
  input: { count: 2, isMetal: false, note: '', list: [1], '': 0 },
  yes: true,
  zero: 0,
}

const render = (template: string, room = 1000): string => renderTemplate(template, CONTEXT, room)

t.test('values, conditions, comments and raw parts', async (t) => {
  const cases: [name: string, template: string, expected: string][] = [
    ['text', 'a b\n', 'a b\n'],
    ['nothing', '', ''],
    ['a value', '{{ name }}', 'Si'],
    ['values with text around them', 'a{{name}}b{{ input.count }}c', 'aSib2c'],
    ['a false value', '{{ input.isMetal }}', 'false'],
    ['an empty value', '[{{ input.note }}]', '[]'],
    ['an unknown value', '{{ other }} {{ name.x }}', '{{ other }} {{ name.x }}'],
    ['an object', '{{ input }}', '{{ input }}'],
    ['an array', '{{ input.list }}', '{{ input.list }}'],
    ['a name of Object', '{{ toString }}', '{{ toString }}'],
    ['an expression', '{{ name + 1 }}', '{{ name + 1 }}'],
    ['a filter', '{{ name|upper }}', '{{ name|upper }}'],
    ['a comment', 'a{# {{ name }} #}b', 'ab'],
    ['braces alone', '{ a } {', '{ a } {'],
    ['a start without an end', '{{ name', '{{ name'],
    ['a start without an end before a value', '{# {{ name }}', '{# Si'],
    ['a start without an end that has another', '{{% if yes %}x{% endif %}', '{x'],
    ['three braces', '{{{ name }}}', '{{{ name }}}'],
    ['a brace before a value', '{ {{ name }}', '{ Si'],
    ['if', '{% if yes %}a{% endif %}b', 'ab'],
    ['if not', '{% if zero %}a{% endif %}b', 'b'],
    ['if of an unknown value', '{% if other %}a{% endif %}b', 'b'],
    ['else', '{% if zero %}a{% else %}b{% endif %}', 'b'],
    ['else not', '{% if yes %}a{% else %}b{% endif %}', 'a'],
    ['without blanks', '{%if yes%}a{%else%}b{%endif%}', 'a'],
    ['signs that cut blanks', '{%- if yes -%}a{%- endif -%}', 'a'],
    ['within another', '{% if yes %}a{% if zero %}b{% else %}c{% endif %}d{% endif %}', 'acd'],
    ['within one that is not shown', '{% if zero %}{% if yes %}a{% endif %}b{% endif %}c', 'c'],
    [
      'else within one that is not shown',
      '{% if zero %}{% if zero %}a{% else %}b{% endif %}{% endif %}',
      '',
    ],
    ['raw', '{% raw %}{{ name }}{% if %}{# #}{% endraw %}{{ name }}', '{{ name }}{% if %}{# #}Si'],
    ['raw that is not shown', '{% if zero %}{% raw %}a{% endraw %}{% endif %}b', 'b'],
  ]
  for (const [name, template, expected] of cases) t.equal(render(template), expected, name)
})

t.test('a template with anything else stays as it is', async (t) => {
  for (const template of [
    '{{ name }}{% for a in b %}{% endfor %}',
    '{{ name }}{% if yes %}',
    '{{ name }}{% endif %}',
    '{{ name }}{% else %}',
    '{{ name }}{% endraw %}',
    '{{ name }}{% raw %}',
    '{{ name }}{% if yes %}a{% else %}b{% else %}c{% endif %}',
    '{{ name }}{% if not yes %}a{% endif %}',
    '{{ name }}{% if %}a{% endif %}',
    '{{ name }}{% set a = 1 %}',
  ])
    t.equal(render(template), template)
})

t.test('a template has bounds', async (t) => {
  t.equal(render('{{ name }}', 2), 'Si')
  t.throws(() => render('{{ name }}', 1), { code: 'BOUND_EXCEEDED' })
  t.throws(() => render('{{ name }}a', 2), { code: 'BOUND_EXCEEDED' })
  // Each value is two parts: the text before it, and itself. One more text is at the end.
  const most = '{{name}}'.repeat(24_999)
  t.equal(render(most, 1e6).length, 2 * 24_999)
  t.equal(render(`${most}{{name}}`, 1e6), `${most}{{name}}`)
  // Each start is searched for an end once, not for each start: this would take minutes.
  const starts = '{{'.repeat(500_000) + '{%'.repeat(500_000)
  t.ok(render(starts, 1e7) === starts)
})
