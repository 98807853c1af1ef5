import type { DocumentFrame } from './document.js'

const ABOUT = {
  contact: { name: 'The maintainers of materials-mock' },
  license: { name: 'MIT', identifier: 'MIT' },
}

const API_INFO = {
  title: 'Materials platform API',
  version: '2018-10-01',
  summary: 'Served from fixtures in memory by materials-mock',
  description: [
    'To log in, press _Sign in_, or send `POST /login` and enter the two values of the response under',
    '_Authorize_.',
    'Every response but those of the login and of `/oidc` is in an envelope, one for success and one',
    'for failure.',
    'Each GET has a HEAD too. The response to OPTIONS has `Allow`.',
    'An unknown method of a path is a 405 `METHOD_NOT_ALLOWED` with `Allow`, and an unknown path is a',
    '404 `ROUTE_NOT_FOUND`.',
    'A request can be in a sandbox, by the header `X-Mock-Sandbox` or the path; an unknown one is a 404',
    '`SANDBOX_NOT_FOUND`.',
  ].join(' '),
  ...ABOUT,
}

const SECURITY_SCHEMES = {
  accountId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Account-Id',
    description: "The account's _id, from the response of the login",
  },
  authToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: "The session's token, from the response of the login, or a preferences token",
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same token, or the access token of /oidc/token, in place of both headers',
  },
}

/** The document of the platform's API. */
export const API_FRAME: DocumentFrame = {
  info: API_INFO,
  security: [{ accountId: [], authToken: [] }, { bearer: [] }],
  securitySchemes: SECURITY_SCHEMES,
}

/** The document of the controls. */
export const CONTROLS_FRAME: DocumentFrame = {
  info: {
    title: 'The controls of materials-mock',
    version: '1',
    summary: 'What only a mock has: reset, snapshots, faults, journal',
    description: [
      'The controls need no log-in. They answer requests from this computer only.',
      'Every response but that of the events and of JSON Lines is in the envelope of the API.',
    ].join(' '),
    ...ABOUT,
  },
  security: [],
}
