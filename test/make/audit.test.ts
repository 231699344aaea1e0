import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'

const test = suite('make audit')

let registry: Server
let respond: (response: ServerResponse) => void
let cache: string
test.before(async () => {
  cache = mkdtempSync(join(tmpdir(), 'audit-'))
  registry = createServer((request, response) => {
    request.resume()
    // npm reads the versions of a package that has an advisory.
    if (request.method === 'GET')
      send({ name: decodeURIComponent(String(request.url).slice(1)), versions: {} })(response)
    else respond(response)
  })
  await once(registry.listen(0, '127.0.0.1'), 'listening')
})
test.after(() => {
  registry.close()
  rmSync(cache, { recursive: true })
})

const send =
  (body: object, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

/** Runs the audit of this project's lockfile against the registry. */
function audit(): Promise<{ status: number; output: string }> {
  const { port } = registry.address() as AddressInfo
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: cache,
    npm_config_fetch_retries: '0'
  }
  return new Promise((resolve) =>
    execFile(process.execPath, ['make/audit.ts'], { env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), output: stdout + stderr })
    )
  )
}

test('without advisories the audit succeeds', async () => {
  respond = send({})
  const { status, output } = await audit()
  assert.match(output, /^No known vulnerabilities/)
  assert.equal(status, 0)
})

test('a package with an advisory is named, and the status is 1', async () => {
  const advisory = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Memory of other requests is sent',
    severity: 'high',
    vulnerable_versions: '>=0.0.1',
    cwe: [],
    cvss: { score: 0 }
  }
  respond = send({ ws: [advisory] })
  const { status, output } = await audit()
  assert.match(output, /high: ws[\s\S]*Memory of other requests is sent/)
  assert.equal(status, 1)
})

test('a registry that does not answer is no clean result: the status is 3', async () => {
  respond = send({ error: 'not here' }, 405)
  const { status, output } = await audit()
  assert.match(output, /The registry did not answer, so nothing is known/)
  assert.equal(status, 3)
})

test.run()
