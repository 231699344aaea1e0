// The hub on a test machine, as a user without rights in the mode `manage`, and clients in the LAN.
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { login } from '../../../contract/access/session.ts'
import type { Call, Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { md5 } from '../hub/hub.ts'
import type { TestMachine } from './machine.ts'

export const HUB_PORT = 3000

/**
 * Starts the hub on the machine; it listens on all addresses. Without an engine: no streams. @returns its process,
 * which can be killed
 */
export async function startMachineHub(machine: TestMachine, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = machine.start([machine.node, 'hub/main.ts'], {
    as: 'headend',
    env: {
      MACHINE: 'manage',
      HOST: '0.0.0.0',
      PORT: String(HUB_PORT),
      LINK_PORT: '8070',
      FILES_PORT: '8080',
      DATA: '/run/headend/data',
      ...machine.compileCache,
      ...env
    }
  })
  await new Promise<void>((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(`The hub exited: ${text}`)))
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      text += `${line}\n`
      machine.setupCode = /^Setup code: (\S+)/.exec(line)?.[1] ?? machine.setupCode
      if (line.startsWith('Hub: ')) resolve()
    })
  })
  return child
}

/** A client in the LAN. Each request uses a new connection. */
export class LanClient {
  readonly #machine: TestMachine
  /** Address of the hub. */
  address: string
  cookie = ''

  constructor(machine: TestMachine, address: string) {
    this.#machine = machine
    this.address = address
  }

  /** Signs in with a password other than the first one, which works only on the machine itself. */
  async signIn(password: string): Promise<void> {
    const { setupCode } = this.#machine
    const code = setupCode === undefined ? {} : { 'setup-code': setupCode }
    const { result } = await this.send(login, { id: 'Admin', pass: md5(password), ...code })
    if (result !== SUCCESS) throw new Error(`Sign-in failed with result ${result}`)
  }

  /** @throws Error if the hub cannot be reached */
  async send<Request extends object, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope> {
    const get = call.method === 'GET'
    const query = get ? `?${new URLSearchParams(request as Record<string, string>)}` : ''
    const url = `http://${this.address}:${HUB_PORT}/api${call.path}${query}`
    const data = get ? [] : ['--header', 'content-type: application/json', '--data', JSON.stringify(request)]
    const { status, setCookie, body } = await this.#fetch(url, '--max-time', '8', ...data)
    if (status === 0) throw new Error(`${url} cannot be reached`)
    if (setCookie) this.cookie = setCookie.split(';')[0] ?? ''
    return JSON.parse(body) as never
  }

  /** Whether the hub answers at the address, and accepts it in the Host header. */
  async reaches(address = this.address): Promise<boolean> {
    return (await this.curl(`http://${address}:${HUB_PORT}/healthz/live`)).status === 200
  }

  /**
   * A request by curl, with the session of this client. @returns the status, 0 if there is no response, and the body
   */
  async curl(url: string, ...options: string[]): Promise<{ status: number; body: string }> {
    const { status, body } = await this.#fetch(url, ...options)
    return { status, body }
  }

  /** @returns also the first cookie that the hub sets; '' if there is none */
  async #fetch(url: string, ...options: string[]): Promise<{ status: number; setCookie: string; body: string }> {
    const cookie = this.cookie ? ['--cookie', this.cookie] : []
    const end = '\n%header{set-cookie}\n%{http_code}'
    const fixed = ['curl', '--silent', '--insecure', '--max-time', '5', '--write-out', end, ...cookie]
    const output = await this.#machine.run([...fixed, ...options, url], { in: 'lan' }).catch(() => '\n\n0')
    const lines = output.split('\n')
    const status = Number(lines.pop())
    return { status, setCookie: lines.pop() ?? '', body: lines.join('\n') }
  }

  /** Makes a call at another port, or over HTTPS. @param origin such as `https://198.51.100.10:3443` */
  async sendTo<Request extends object, Reply>(
    origin: string,
    call: Call<Request, Reply>,
    request: Request
  ): Promise<Reply & Envelope> {
    const json = ['--header', 'content-type: application/json', '--data', JSON.stringify(request)]
    const { body } = await this.curl(`${origin}/api${call.path}`, ...json)
    return JSON.parse(body) as never
  }
}
