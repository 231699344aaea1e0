// A client that registers like a hub over a cloud link, and records the registration states that the cloud sends.
import { createHash } from 'node:crypto'
import type { ServerHttp2Stream } from 'node:http2'
import { DIGEST_PATH, type DigestHub, type DigestLine } from '../../../contract/cloud/digest.ts'
import { HUB_HELLO_HEADER, type HubHello, parseInvitation } from '../../../contract/cloud/link.ts'
import { DeviceLink, type LinkOptions } from '../../../device-link/dial.ts'

export interface FakeHub {
  link: DeviceLink
  /** The registration states that it has had, without repetitions. */
  states: number[]
  stop(): void
}

/** The hello of a hub with an invitation; its key depends on `owner`. */
export function helloOf(invitation: string, sn: string, owner = 'owner'): HubHello {
  const { organisation = '', code = '' } = parseInvitation(invitation) ?? {}
  const key = createHash('sha256').update(`${owner} ${sn}`).digest('hex')
  return { organisation, code, sn, name: `Hub ${sn}`, version: '1.0.0', key }
}

export interface FakeHubOptions extends Partial<LinkOptions> {
  /** Answers the request for the digest. By default, it says that the hub is well and has no channels. */
  onDigest?(stream: ServerHttp2Stream): void
  /** Relayed requests get no response. By default, the hub does not know them. */
  isSilent?: boolean
}

/** The digest of a hub without channels. */
function sendEmptyDigest(stream: ServerHttp2Stream): void {
  const counts = { channels: 0, verdicts: {}, devices: 0, 'devices-offline': 0, bad: 0, warn: 0 }
  const hub: DigestHub = { name: 'Hub', version: '1.0.0', health: { verdict: 'online' }, counts }
  stream.write(`${JSON.stringify({ now: Date.now(), reset: true, hub } satisfies DigestLine)}\n`)
}

/** Starts a hub that registers at once. */
export function startFakeHub(
  port: number,
  hello: () => object,
  { onDigest = sendEmptyDigest, isSilent = false, ...options }: FakeHubOptions = {}
): FakeHub {
  const states: number[] = []
  const link = new DeviceLink({
    chooseAddress: () => ({ host: '127.0.0.1', port }),
    ...{ helloHeader: HUB_HELLO_HEADER, hello },
    ...options,
    onSession: (session) =>
      session.on('stream', (stream, { ':path': path }) => {
        let text = ''
        stream.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        stream.on('error', () => {})
        if (path === DIGEST_PATH) {
          stream.resume().respond({ ':status': 200 })
          return onDigest(stream)
        }
        stream.on('end', () => {
          if (path === '/link/state') link.setRegistration(JSON.parse(text).state)
          else if (isSilent) return
          stream.respond({ ':status': path === '/link/state' ? 204 : 404 }, { endStream: true })
        })
      }),
    onStateChange: (_state, registration) => {
      if (registration !== undefined && states.at(-1) !== registration) states.push(registration)
    }
  })
  link.dial()
  return { link, states, stop: () => link.stop() }
}
