// Hubs that stand in for real ones in rollouts: they register over real cloud links, and answer the calls of the hub's
// own upgrade. Each question about the state takes an update one step further, so that no test waits for time.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { HUB_HELLO_HEADER, type HubHello } from '../../../contract/cloud/link.ts'
import { ASSERTION_HEADER, type Assertion, CHALLENGE_PATH } from '../../../contract/cloud/relay.ts'
import { NOT_PERMITTED, OFF_AIR, SUCCESS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { checkUpdate, startUpdate, UPDATE_STATE, updateStatus } from '../../../contract/update.ts'
import { DeviceLink } from '../../../device-link/dial.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { until } from '../until.ts'
import type { TestCloud } from './cloud.ts'

/** What a hub does besides, or instead of, updating itself. */
export interface HubConduct {
  /** The role that it has given to the cloud. */
  role?: 'administer' | 'view'
  /** The trial of the release fails, and the hub goes back. */
  rollsBack?: boolean
  /** The download fails. */
  failsDownload?: boolean
  /** It downloads until this is switched off. */
  isSlow?: boolean
  /** It ends for good when it installs. */
  staysAway?: boolean
  /** An installation takes these channels off air. */
  interrupts?: string[]
  /** Version before. */
  version?: string
  /** Has no release server. */
  hasNoServer?: boolean
}

type Phase = 'idle' | 'downloading' | 'ready' | 'installing' | 'trial' | 'failed' | 'rolled-back'

const RELEASE = 'a'.repeat(64)
const READY = 'b'.repeat(64)

export class UpgradingHub {
  readonly sn: string
  readonly conduct: HubConduct
  version: string
  /** The calls that it has got, with what their assertions say. */
  readonly calls: { path: string; assertion: Assertion; body: Record<string, unknown> }[] = []
  #port: number
  readonly #target: string
  #phase: Phase = 'idle'
  #link: DeviceLink | undefined

  constructor(port: number, sn: string, target: string, conduct: HubConduct = {}) {
    this.#port = port
    this.sn = sn
    this.#target = target
    this.conduct = conduct
    this.version = conduct.version ?? '1.0.0'
  }

  /** How often it was asked to download or install. */
  get starts(): number {
    return this.calls.filter(({ path }) => path === `/api${startUpdate.path}`).length
  }

  /** Connects, also again as after a restart. */
  start(): void {
    this.#link?.stop()
    this.#link = this.#dial()
  }

  /** Connects to another node. */
  connectTo(port: number): void {
    this.#port = port
    this.start()
  }

  stop(): void {
    this.#link?.stop()
  }

  get key(): string {
    return Buffer.from(this.sn).toString('hex').padEnd(64, '0').slice(0, 64)
  }

  #dial(): DeviceLink {
    const instance = randomBytes(8).toString('hex')
    const link = new DeviceLink({
      chooseAddress: () => ({ host: '127.0.0.1', port: this.#port }),
      helloHeader: HUB_HELLO_HEADER,
      hello: (): HubHello => ({
        ...{ organisation: 'headend', code: '', sn: this.sn, name: `Hub ${this.sn}`, version: this.version },
        ...{ key: this.key, instance }
      }),
      onSession: (session) =>
        session.on('stream', (stream, headers) => {
          let text = ''
          stream.on('error', () => {})
          stream.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          stream.on('end', () => this.#answer(stream, headers, text))
        }),
      onStateChange() {}
    })
    link.dial()
    return link
  }

  #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, text: string): void {
    const { ':path': path = '', [ASSERTION_HEADER]: signed } = headers
    const respond = (answer?: object) => {
      if (stream.destroyed) return
      stream.respond({ ':status': answer ? 200 : 204, 'content-type': 'application/json' })
      stream.end(answer && JSON.stringify(answer))
    }
    if (path === CHALLENGE_PATH || signed === undefined)
      return void respond(path === CHALLENGE_PATH ? { challenge: 'challenge' } : undefined)
    const assertion = JSON.parse(Buffer.from(String(signed).split('.')[0] ?? '', 'base64url').toString())
    const body = text ? JSON.parse(text) : {}
    this.calls.push({ path, assertion, body })
    if (path === `/api${updateStatus.path}`) respond(this.#describe())
    else if (path === `/api${checkUpdate.path}`) respond({ result: SUCCESS })
    else respond(this.#start(body))
  }

  #start({ id, 'dry-run': dryRun }: Record<string, unknown>): object {
    const { role = 'administer', interrupts = [], staysAway } = this.conduct
    if (role !== 'administer') return { result: NOT_PERMITTED }
    if (id === RELEASE) this.#phase = 'downloading'
    else if (interrupts.length > 0 && dryRun === 'if-off-air')
      return { result: OFF_AIR, 'off-air': interrupts.map((name) => ({ name })) }
    else {
      this.#phase = 'installing'
      // The response goes first.
      setImmediate(() => (staysAway ? this.stop() : this.#install()))
    }
    return { result: SUCCESS }
  }

  #install(): void {
    const { rollsBack } = this.conduct
    this.#phase = rollsBack ? 'rolled-back' : 'trial'
    if (!rollsBack) this.version = this.#target
    this.start()
  }

  #describe(): object {
    const phase = this.#phase
    const { role = 'administer', hasNoServer, failsDownload, isSlow } = this.conduct
    if (phase === 'downloading' && !isSlow) this.#phase = failsDownload ? 'failed' : 'ready'
    if (phase === 'trial') this.#phase = 'idle'
    const { pulling, restarting, failed } = UPDATE_STATE
    const bits = { downloading: pulling, installing: restarting, trial: restarting, failed }
    const offered = { id: RELEASE, version: this.#target, time: 1, size: 1, notes: 'New' }
    const list = hasNoServer ? [] : [offered]
    return {
      result: SUCCESS,
      state: phase in bits ? bits[phase as keyof typeof bits] : 0,
      progress: 0,
      'enable-update': true,
      version: this.version,
      'online-status': {
        'update-result': 0,
        address: hasNoServer ? '' : 'https://releases.example.com',
        versions: { start: 0, total: list.length, list },
        ...(phase === 'failed' && { fault: { reason: 'The server cannot be reached' } })
      },
      consoles: [],
      releases: [
        ...(phase === 'ready' ? [{ id: READY, version: this.#target, use: 'ready' }] : []),
        { version: this.version, use: phase === 'trial' ? 'trial' : 'active' }
      ],
      ...(phase === 'rolled-back' && {
        rollback: {
          version: this.#target,
          time: 1,
          check: 'channels',
          reason: 'No stream',
          channels: ['News'],
          lines: []
        }
      }),
      ...(role === 'administer' && { 'trusted-keys': [] })
    }
  }
}

/** Starts accepted hubs, and waits until all are connected. @param conductOf by index */
export async function startUpgradingHubs(
  cloud: TestCloud,
  port: number,
  count: number,
  conductOf: (index: number) => HubConduct = () => ({}),
  target = '2.0.0'
): Promise<UpgradingHub[]> {
  const hubs = Array.from(
    { length: count },
    (_, index) => new UpgradingHub(port, `HUB-${String(index).padStart(4, '0')}`, target, conductOf(index))
  )
  await cloud.store.within('headend', async (scope) => {
    for (const { sn, version, key } of hubs)
      await scope
        .insert('hubs', {
          ...{ sn, version, name: `Hub ${sn}`, key_hash: hashSecret(key), address: '127.0.0.1', registered: 1 },
          state: REGISTRATION_STATE.accepted
        })
        .execute()
  })
  for (const hub of hubs) hub.start()
  await until(() => hubs.every(({ sn }) => cloud.links.isOnline('headend', sn)), 'all hubs are connected')
  return hubs
}
