// Requests per second of the hub, for calls and files, compared with plain node:http that sends the same bytes.
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login } from '../contract/access/session.ts'
import { systemStatus } from '../contract/system.ts'
import { startHubProcess } from '../test/kit/hub/hub-process.ts'
import type { FixedResponse } from './fixed-response-server.ts'
import { requestsPerSecond } from './http-load.ts'
import { alternate, type Measurement, type Suite } from './measurement.ts'

/** Duration of a measurement in milliseconds. */
const DURATION = 1000

/**
 * Lowest ratio of the rates: a call costs at most 3 times, a file at most 1.5 times what plain node:http needs for the
 * same response. Both are measured in the same run.
 */
const LEAST = { 'calls/s': 1 / 3, 'files/s': 1 / 1.5 } as const

interface Sample {
  headers: Record<string, string>
  body: Buffer
}

/** Reads a response without decoding its body, as fetch would. */
async function sampleOf(address: string, headers: Record<string, string>): Promise<Sample> {
  const [response] = await once(request(address, { headers }).end(), 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const { 'content-length': _, 'transfer-encoding': __, connection, ...responseHeaders } = response.headers
  return { headers: responseHeaders, body: Buffer.concat(chunks) }
}

/** Starts the reference server with a response of the hub. */
async function startReferenceServer(
  { headers, body }: Sample,
  json: boolean
): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(join(import.meta.dirname, 'fixed-response-server.ts'))
  child.send({ headers, body: body.toString('base64'), json } satisfies FixedResponse)
  const [port] = await once(child, 'message')
  return { child, address: `http://127.0.0.1:${port}/` }
}

async function signIn(url: string): Promise<string> {
  const pass = createHash('md5').update('Admin').digest('hex')
  const response = await fetch(`${url}/api${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'Admin', pass })
  })
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function compare(
  what: string,
  unit: keyof typeof LEAST,
  address: string,
  headers: Record<string, string>
): Promise<Measurement> {
  const sample = await sampleOf(address, headers)
  const json = sample.headers['content-type']?.startsWith('application/json') ?? false
  const referenceServer = await startReferenceServer(sample, json)
  try {
    const rates = await alternate(
      () => requestsPerSecond(address, headers, DURATION),
      () => requestsPerSecond(referenceServer.address, headers, DURATION)
    )
    return {
      name: `${what}, ${sample.body.length} bytes`,
      unit,
      referenceName: 'plain node:http',
      least: LEAST[unit],
      ...rates
    }
  } finally {
    referenceServer.child.disconnect()
  }
}

export const suite: Suite = {
  title: 'http',
  async run() {
    const data = mkdtempSync(join(tmpdir(), 'headend-bench-'))
    const hub = await startHubProcess(data)
    try {
      const cookie = await signIn(hub.url)
      const gzip = { 'accept-encoding': 'gzip' }
      const page = await (await fetch(`${hub.url}/`)).text()
      const script = /data-script="([^"]+\.js)"/.exec(page)?.[1]
      if (!script) throw new Error('The page loads no script')
      return [
        await compare(systemStatus.path, 'calls/s', `${hub.url}/api${systemStatus.path}`, { cookie }),
        await compare('GET /', 'files/s', `${hub.url}/`, gzip),
        await compare('the script', 'files/s', new URL(script, `${hub.url}/`).href, gzip)
      ]
    } finally {
      await hub.kill()
      rmSync(data, { recursive: true, force: true })
    }
  }
}
