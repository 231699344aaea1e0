// An output that is a device: it is told to call a port that the hub opens for this one order, and puts out what it fetches there.
import { randomBytes } from 'node:crypto'
import { CONNECTION } from '../../contract/stream/protocols.ts'
import type { PlayManner } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { type Failure, failure, orderFailure } from '../process/failure.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { freeUdpPort } from '../srt/dedicated-port.ts'
import { srtListenerOutput } from '../srt/listener-output.ts'
import type { Carrier, CarrierWatch, DeviceEnd, OpenCarrier } from './in-process-output.ts'

/** Milliseconds a device has to confirm that it stops. */
const PARTING = 2000

/** A device plays one stream: whoever is to play there next waits until it was told to stop. */
export const playKey = (sn: string): string => `play ${sn}`

export function deviceOutput(
  { sn, latency, 'buffer-ms': buffer }: PlayManner,
  around: Surroundings
): DeviceEnd & { open: OpenCarrier } {
  let ordered = false
  /** Why the last try failed, until the device calls. */
  let why: Failure | undefined

  async function open(watch: CarrierWatch): Promise<Carrier> {
    const { outputHost, now, patience } = around
    const passphrase = randomBytes(24).toString('base64url')
    const port = await freeUdpPort(outputHost)
    const streamId = `play/${randomBytes(9).toString('base64url')}`
    const carrier = await srtListenerOutput(
      {
        ...{ mode: 'listener', 'bind-port': port, 'stream-id': streamId, enc: 'aes-128', passphrase, latency },
        'max-client-num': 1
      },
      around.srtProgram() ?? SRT_PROGRAM,
      around
    )(watch)
    let alone = now()
    let over = false
    const called = () => !carrier.waits?.()
    const order = { port, 'stream-id': streamId, passphrase, latency }
    // A port that did not open says so by itself.
    if (!carrier.trouble?.(now())) {
      ordered = true
      around.play(sn, buffer === undefined ? order : { ...order, 'buffer-ms': buffer }).catch((error: Error) => {
        if (over) return
        why = orderFailure(error, [passphrase, streamId], 'device-cannot-play')
        watch.failed(why)
      })
    }
    // Where a device is, is for who may see it: it is none of the players that are told of.
    const { clients: _, takers: __, drop: ___, recheck: ____, ...rest } = carrier
    return {
      ...rest,
      tick() {
        rest.tick?.()
        if (called()) {
          alone = now()
          why = undefined
        } else if (!over && !rest.trouble?.(now()) && now() - alone > patience.start) {
          why = failure(CONNECTION.failed, 'device-not-calling')
          watch.failed(why)
        }
      },
      waits: () => !called(),
      trouble: (at) => rest.trouble?.(at) ?? (called() ? undefined : why),
      close() {
        over = true
        return rest.close()
      }
    }
  }

  return {
    key: playKey(sn),
    open,
    ready: () => around.deviceOnline(sn),
    released: () => around.released(playKey(sn)),
    async over() {
      if (!ordered || !around.deviceOnline(sn)) return
      ordered = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PARTING)
      })
      await Promise.race([around.endPlay(sn).catch(() => {}), enough])
      clearTimeout(timer)
    }
  }
}
