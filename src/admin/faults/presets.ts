import type { FaultOutcome, PresetName } from './fault-outcome.js'

/** Returns an error page as nginx sends it (ngx_http_special_response.c). */
const toErrorPage = (title: string): string =>
  [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n')

const createErrorPage = (status: number, title: string): FaultOutcome => ({
  status,
  contentType: 'text/html',
  body: toErrorPage(`${status} ${title}`),
})

const LOGIN_PAGE = `<!doctype html>
<html lang="en">
<head><title>Sign in</title></head>
<body><form method="post"><input name="username"><input name="password" type="password"></form></body>
</html>
`

/** The failures that users of such a platform meet, by name. */
export const PRESETS: Readonly<Record<PresetName, FaultOutcome>> = {
  // An error that an endpoint of Restivus does not catch ends in the answer of its web server.
  'restivus-crash': { status: 500, contentType: 'text/html', body: 'Server error.' },
  'bad-gateway': createErrorPage(502, 'Bad Gateway'),
  'gateway-timeout': createErrorPage(504, 'Gateway Time-out'),
  maintenance: { ...createErrorPage(503, 'Service Temporarily Unavailable'), retryAfter: 120 },
  // The answer of Restivus to a request without a login.
  'session-expired': {
    status: 401,
    body: { status: 'error', message: 'You must be logged in to do this.' },
  },
  'rate-limit': {
    status: 429,
    retryAfter: 10,
    body: { status: 'error', message: 'Error, too many requests. Please slow down.' },
  },
  // A proxy with a sign-on of its own answers in place of the API, with success.
  'login-page': { status: 200, contentType: 'text/html; charset=utf-8', body: LOGIN_PAGE },
  // The numbers of Chrome's developer tools for 3G: 400 kbit/s and 2 s.
  'slow-3g': { delay: 2000, bandwidth: 50_000 },
}
