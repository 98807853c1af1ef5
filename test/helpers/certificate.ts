import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Test } from 'tap'

/** Makes a certificate that is its own authority, for a host. Returns the paths of its files. */
export function makeCertificate(t: Test, host: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${host} -addext subjectAltName=DNS:${host},IP:127.0.0.1`
  execFileSync('openssl', [...options.split(' '), '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { key, cert }
}
