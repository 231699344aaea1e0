// The hub as a separate process, which tests can kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { login } from '../../../contract/access/session.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { uploadChunk } from '../../../contract/firmware.ts'
import { until } from '../until.ts'

export interface HubConnection {
  url: string
  /** The Cookie header of the current session. */
  cookie(): string
  /** Signs in as Admin again: later calls use the new session. @param password default: that of a new hub */
  signIn(password?: string): Promise<void>
  /** Sends a declared call as Admin. Rejects when the hub does not run. @param language default: English */
  send<Request, Reply>(call: Call<Request, Reply>, request: Request, language?: 'en' | 'zh'): Promise<Reply & Envelope>
  /** Sends a chunk of a firmware upload. @returns the new offset */
  sendChunk(upload: string, offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<number | undefined>
}

export interface HubProcess extends HubConnection {
  child: ChildProcess
  linkPort: number
  /** Kills the process at once, like a power failure. */
  kill(): Promise<void>
}

/** Sends calls to a hub at an address, after `signIn` as Admin. */
export function connectHub(url: string): HubConnection {
  let cookie = ''
  const self: HubConnection = {
    url,
    cookie: () => cookie,
    async signIn(password = 'Admin') {
      const pass = createHash('md5').update(password).digest('hex')
      const { result } = await self.send(login, { id: 'Admin', pass })
      if (result !== SUCCESS) throw new Error(`Sign-in failed with result ${result}`)
    },
    async send(call, request, language = 'en') {
      const get = call.method === 'GET'
      const query = get ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
      const response = await fetch(`${url}/api${call.path}${query}`, {
        method: call.method,
        headers: { cookie, 'content-type': 'application/json', 'accept-language': language },
        ...(!get && { body: JSON.stringify(request) })
      })
      const [set] = response.headers.getSetCookie()
      if (set) cookie = set.split(';')[0] ?? ''
      return (await response.json()) as never
    },
    async sendChunk(upload, offset, bytes) {
      const response = await fetch(`${url}/api${uploadChunk.path}?upload=${upload}&offset=${offset}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/octet-stream' },
        body: bytes
      })
      return ((await response.json()) as { offset?: number }).offset
    }
  }
  return self
}

/** Waits until a hub answers that is started in another way. */
export async function waitForHub(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false
    )
  await until(isReady, 'the hub answers')
}

/**
 * Starts `hub/main.ts` on `data` and signs in.
 * @param ports of the web server and the device link; 0 lets the system choose
 * @param program the hub alone, or the supervisor, which starts the engine and the hub
 * @param wrapper a command that executes the command in its further arguments
 * @param reach returns the address at which this process reaches the hub's address
 */
export async function startHubProcess(
  data: string,
  ports = { web: 0, link: 0 },
  program: 'hub/main.ts' | 'supervisor/main.ts' = 'hub/main.ts',
  wrapper: readonly string[] = [],
  reach = async (url: string) => url
): Promise<HubProcess> {
  const [command = '', ...args] = [...wrapper, process.execPath, program]
  const child = spawn(command, args, {
    env: {
      ...process.env,
      PORT: String(ports.web),
      LINK_PORT: String(ports.link),
      HOST: '127.0.0.1',
      DATA: data,
      SRT_PORT: '0',
      RTMP_PORT: '0',
      FILES_PORT: '0',
      // `make test` passes on the port of `make run`, which two hubs cannot have.
      HTTPS_PORT: undefined
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [ownUrl = '', linkPort = ''] = await new Promise<string[]>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const match = /(http:\/\/\S+?)\/ .*port (\d+)/.exec(text)
      if (match) resolve(match.slice(1))
    })
    child.on('exit', () => reject(new Error(`The hub exited: ${text}`)))
  })
  const self: HubProcess = {
    child,
    linkPort: Number(linkPort),
    ...connectHub(await reach(ownUrl)),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  await self.signIn()
  return self
}
