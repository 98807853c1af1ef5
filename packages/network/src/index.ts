export { describeNetworkError } from './describe-error.js'
export { fetchThroughProxy, findProxy } from './proxies.js'
export type { Proxy } from './proxies.js'
