// A node of the cloud as a separate process, which can be killed and measured.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { md5Of } from '../../../accounts/passwords.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { login } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'

export interface CloudProcess {
  child: ChildProcess
  url: string
  /** Ports for browsers and for hubs. */
  port: number
  linkPort: number
  /** Sends a call as Admin, whose session is the same at all nodes of a database. */
  send<Request, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope>
  /** Kills the process at once, like a power failure. */
  kill(): Promise<void>
}

interface CloudProcessOptions {
  /** Ports for browsers and for hubs; 0 lets the system choose. */
  ports?: { web: number; link: number }
  /** Further environment variables. */
  env?: Record<string, string>
  /** Options of Node. */
  nodeOptions?: readonly string[]
}

/** Starts `cloud/main.ts` on a data folder, and signs in. */
export async function startCloudProcess(
  data: string,
  { ports = { web: 0, link: 0 }, env = {}, nodeOptions = [] }: CloudProcessOptions = {}
): Promise<CloudProcess> {
  const child = spawn(process.execPath, [...nodeOptions, 'cloud/main.ts'], {
    env: {
      ...process.env,
      ...{ CLOUD_DATA: data, HOST: '127.0.0.1', PORT: String(ports.web), LINK_PORT: String(ports.link) },
      ...env
    },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const { port, linkPort } = await new Promise<{ port: number; linkPort: number }>((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
      const line = text.split('\n').find((each) => each.includes('Cloud started') && each.endsWith('}'))
      if (line) resolve(JSON.parse(line))
    })
    child.on('exit', () => reject(new Error(`The cloud exited: ${text}`)))
  })
  const url = `http://127.0.0.1:${port}`
  let cookie = ''
  const self: CloudProcess = {
    ...{ child, url, port, linkPort },
    async send(call, request) {
      const isRead = call.method === 'GET'
      const query = isRead ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
      const response = await fetch(`${url}/api${call.path}${query}`, {
        method: call.method,
        headers: { cookie, 'content-type': 'application/json' },
        ...(!isRead && { body: JSON.stringify(request) })
      })
      const [set] = response.headers.getSetCookie()
      if (set) cookie = set.split(';')[0] ?? ''
      return (await response.json()) as never
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  const { result } = await self.send(login, { id: 'Admin', pass: md5Of('Admin') })
  if (result !== SUCCESS) throw new Error(`Sign-in failed with result ${result}`)
  return self
}
